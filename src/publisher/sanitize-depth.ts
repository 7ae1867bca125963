// Parsing takes time in proportion to length times depth: 50,000 nested tags took 2 to 5 s. Real content stays below 50.
const MOST_OPEN = 1_000

export class TooDeep extends Error {}

/** Ends the work once more elements are open than any real document has. */
export class DepthGuard {
  private open = 0

  enter(): void {
    this.open += 1
    if (this.open > MOST_OPEN) throw new TooDeep()
  }

  leave(): void {
    this.open -= 1
  }
}
