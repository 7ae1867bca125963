import type { Tally } from './tally.ts'
import type { SimSource } from './world.ts'

/** Several tallies of one run, each of some of the sources. */
export function watchParts(tallies: (source: SimSource) => readonly Tally[]): Pick<Tally, 'refreshed' | 'ended'> {
  return {
    refreshed(source, at, sight) {
      for (const tally of tallies(source)) tally.refreshed(source, at, sight)
    },
    ended(source, reached, publishedByEnd) {
      for (const tally of tallies(source)) tally.ended(source, reached, publishedByEnd)
    },
  }
}
