/**
 * Which of some shapes (logarithms of shares) makes counts most probable. All shapes are summed side by side, part by
 * part: one sum after the other would wait for each addition, and a refresh that brings items asks twice.
 */
export class BestFit {
  /** By part, then by shape. */
  private readonly logs: Float64Array
  private readonly sums: Float64Array

  constructor(shapes: readonly ArrayLike<number>[]) {
    const parts = shapes[0]?.length ?? 0
    this.sums = new Float64Array(shapes.length)
    this.logs = new Float64Array(parts * shapes.length)
    for (const [shape, logs] of shapes.entries()) {
      for (let part = 0; part < parts; part++) this.logs[part * shapes.length + shape] = logs[part]!
    }
  }

  of(counts: readonly number[]): number {
    const { logs, sums } = this
    sums.fill(0)
    for (let part = 0, at = 0; part < counts.length; part++, at += sums.length) {
      const count = counts[part]!
      if (count === 0) continue
      for (let shape = 0; shape < sums.length; shape++) sums[shape]! += count * logs[at + shape]!
    }
    let best = 0
    for (let shape = 1; shape < sums.length; shape++) if (sums[shape]! > sums[best]!) best = shape
    return best
  }
}
