/**
 * Which of some shapes (logarithms of shares) makes counts most probable. Four shapes are summed side by side: one sum after
 * the other would wait for each addition, and a refresh that brings items asks twice.
 */
export class BestFit {
  /** By part, then by shape, with shapes of nothing up to a multiple of four. */
  private readonly logs: Float64Array
  /** Reused between calls. */
  private readonly sums: Float64Array
  private readonly shapes: number
  private readonly stride: number

  constructor(shapes: readonly ArrayLike<number>[]) {
    const parts = shapes[0]?.length ?? 0
    this.shapes = shapes.length
    this.stride = BESIDE * Math.ceil(shapes.length / BESIDE)
    this.logs = new Float64Array(parts * this.stride)
    this.sums = new Float64Array(this.stride)
    for (const [shape, logs] of shapes.entries()) {
      for (let part = 0; part < parts; part++) this.logs[part * this.stride + shape] = logs[part]!
    }
  }

  of(counts: readonly number[]): number {
    const { logs, sums, shapes, stride } = this
    for (let shape = 0; shape < stride; shape += BESIDE) {
      let first = 0
      let second = 0
      let third = 0
      let fourth = 0
      for (let part = 0, at = shape; part < counts.length; part++, at += stride) {
        const count = counts[part]!
        if (count === 0) continue
        first += count * logs[at]!
        second += count * logs[at + 1]!
        third += count * logs[at + 2]!
        fourth += count * logs[at + 3]!
      }
      sums[shape] = first
      sums[shape + 1] = second
      sums[shape + 2] = third
      sums[shape + 3] = fourth
    }
    let best = 0
    for (let shape = 1; shape < shapes; shape++) if (sums[shape]! > sums[best]!) best = shape
    return best
  }
}

const BESIDE = 4
