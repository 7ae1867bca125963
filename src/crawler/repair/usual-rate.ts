import { HOUR_MS, type Observation } from '../../model/index.ts'

/** Items an hour over some refreshes, those lost included; null where they cover no time. */
export function usualRate(observations: readonly Observation[]): number | null {
  let items = 0
  let hours = 0
  for (const { previousAt, at, newItems, lostAtLeast, overlap } of observations) {
    if (previousAt === null || overlap === 'first' || at <= previousAt) continue
    items += newItems + lostAtLeast
    hours += (at - previousAt) / HOUR_MS
  }
  return hours > 0 ? items / hours : null
}
