import { HOUR_MS, type Random } from '../../src/model/index.ts'
import { poissonTimes } from './poisson.ts'
import { type SimWorld, simSource } from './world.ts'

/** The world of thesis 4.4.1, with its numbers as defaults. One cycle is one hour here; only its number matters. */
export interface KeywordWorldOptions {
  readonly cycles: number
  readonly sources?: number
  /** λ uniform in [0, this], items per cycle. */
  readonly mostPerCycle?: number
  readonly windowSize?: number
  readonly dictionary?: number
  /** Share of the keywords that a source publishes on, of those that an item carries, of those that the query asks for. */
  readonly sourceShare?: number
  readonly itemShare?: number
  readonly queryShare?: number
  /** Multiplies all rates from this cycle on: how τ follows (4.4.4). */
  readonly change?: { readonly atCycle: number; readonly factor: number }
}

export const KEYWORD_CYCLE_MS = HOUR_MS

/**
 * Sources with keyword profiles (1.6.2), a query that is a set of keywords; an item is relevant when it carries one of
 * them. Shares of source and query are "on average" in the thesis, so each keyword is drawn on its own; an item carries a
 * fifth of its source's keywords, that is one, rarely two. (Drawing those on their own too leaves every third item
 * without any keyword, and moves the threshold strategies by 0.02 in completeness: see the README of table-4.1.)
 */
export function keywordWorld(options: KeywordWorldOptions, random: Random): SimWorld {
  const dictionary = options.dictionary ?? 10
  const draw = (share: number) => Array.from({ length: dictionary }, () => random() < share)
  let query = draw(options.queryShare ?? 0.4)
  // A query for nothing has no quality to measure.
  while (!query.includes(true)) query = draw(options.queryShare ?? 0.4)
  const sources = Array.from({ length: options.sources ?? 100 }, (_, id) => {
    const perCycle = random() * (options.mostPerCycle ?? 6.5)
    const profile = draw(options.sourceShare ?? 0.5)
    const relevantChance = selectivity(profile, query, options.itemShare ?? 0.2)
    const times = changingTimes(perCycle, options, random)
    const relevant = Uint8Array.from(times, () => (random() < relevantChance ? 1 : 0))
    return simSource(id, times, options.windowSize ?? 10, { relevant, name: `λ ${perCycle.toFixed(2)}` })
  })
  return { startMs: 0, endMs: options.cycles * KEYWORD_CYCLE_MS, sources }
}

/** Chance that one of the keywords of an item, drawn from the profile without repeats, is in the query (1.4.2). */
function selectivity(profile: readonly boolean[], query: readonly boolean[], itemShare: number): number {
  const size = profile.filter(Boolean).length
  if (size === 0) return 0
  const common = profile.filter((has, keyword) => has && query[keyword]).length
  const carried = Math.max(1, Math.round(itemShare * size))
  let missing = 1
  for (let k = 0; k < carried; k++) missing *= Math.max(0, size - common - k) / (size - k)
  return 1 - missing
}

function changingTimes(perCycle: number, options: KeywordWorldOptions, random: Random): Float64Array {
  const rate = perCycle / KEYWORD_CYCLE_MS
  const endMs = options.cycles * KEYWORD_CYCLE_MS
  const { change } = options
  if (change === undefined) return poissonTimes(rate, 0, endMs, random)
  const turnMs = change.atCycle * KEYWORD_CYCLE_MS
  const before = poissonTimes(rate, 0, turnMs, random)
  const after = poissonTimes(rate * change.factor, turnMs, endMs, random)
  const all = new Float64Array(before.length + after.length)
  all.set(before)
  all.set(after, before.length)
  return all
}
