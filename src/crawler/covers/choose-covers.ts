import type { SourceId } from '../../model/index.ts'
import { coveredShare } from '../../refresh/bundles/coverage.ts'
import type { Coverage, SiteCovers } from '../../refresh/covers/site-covers.ts'

/** A source whose request shows others. */
export interface ChosenCover {
  readonly cover: SourceId
  readonly covered: readonly Coverage[]
}

/** From this share on one joins, and below that one leaves: in between all stays as it is. */
const JOINS = 0.6
const STAYS = 0.4
const LEAST_SEEN = 5

/** Whether a coverage is still good enough for one that is there. */
export function isCovered(coverage: Coverage | null): boolean {
  return coverage !== null && coveredShare(coverage.record) >= STAYS
}

/**
 * Which sources of a site stand for which others: first those that show most of others' items an hour. None is both a cover and
 * covered. `rates`: of those that may be asked for together. `present`: who is covered by whom now.
 */
export function chooseCovers(
  site: SiteCovers,
  rates: ReadonlyMap<SourceId, number>,
  present: ReadonlyMap<SourceId, SourceId>,
): readonly ChosenCover[] {
  const candidates = site.covers().flatMap((cover) => {
    const covered = site.coveredBy(cover).filter((one) => rates.has(one.member) && isEnough(one, cover, present))
    const worth = covered.reduce((sum, { member, record }) => sum + coveredShare(record) * (rates.get(member) ?? 0), 0)
    return rates.has(cover) && covered.length > 0 ? [{ cover, covered, worth }] : []
  })
  candidates.sort((a, b) => b.worth - a.worth || a.cover - b.cover)
  const taken = new Set<SourceId>()
  return candidates.flatMap(({ cover, covered }) => {
    const free = covered.filter(({ member }) => !taken.has(member))
    if (taken.has(cover) || free.length === 0) return []
    for (const id of [cover, ...free.map(({ member }) => member)]) taken.add(id)
    return [{ cover, covered: free }]
  })
}

function isEnough(coverage: Coverage, cover: SourceId, present: ReadonlyMap<SourceId, SourceId>): boolean {
  const { record, member } = coverage
  if (present.get(member) === cover) return isCovered(coverage)
  return record.seen >= LEAST_SEEN && coveredShare(record) >= JOINS
}
