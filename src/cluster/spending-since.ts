/** What was spent is reported as a sum from the start on; this is how much it has grown. Of whoever is new nobody knows when it was spent. */
export class SpendingSince {
  private readonly before = new Map<string, number>()

  take(name: string, spent: number): number {
    const before = this.before.get(name)
    this.before.set(name, spent)
    return before === undefined ? 0 : Math.max(0, spent - before)
  }
}
