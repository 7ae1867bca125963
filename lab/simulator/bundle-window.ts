import { entryAt } from '../../src/model/entry-at.ts'
import type { InstantMs } from '../../src/model/index.ts'
import { countPublishedBy, type SimSource } from './world.ts'

/** What a composed address shows: the newest items of its members together. */
export class BundleWindow {
  private readonly times: Float64Array
  private readonly owners: Int32Array
  private published = 0

  constructor(
    readonly sources: readonly SimSource[],
    private readonly windowSize: number,
  ) {
    const all = sources.flatMap(({ times }, owner) => Array.from(times, (time) => ({ time, owner })))
    all.sort((a, b) => a.time - b.time || a.owner - b.owner)
    this.times = Float64Array.from(all, ({ time }) => time)
    this.owners = Int32Array.from(all, ({ owner }) => owner)
  }

  /** How many items of each member are in it; moments never go back. */
  shownAt(at: InstantMs): readonly number[] {
    this.published = countPublishedBy(this.times, at, this.published)
    const shown = new Array<number>(this.sources.length).fill(0)
    for (let index = Math.max(0, this.published - this.windowSize); index < this.published; index++) {
      const owner = this.owners[index] ?? 0
      shown[owner] = entryAt(shown, owner) + 1
    }
    return shown
  }
}
