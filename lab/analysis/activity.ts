/**
 * Activity classes (thesis 6.2). 1 and 10 items a day are the borders it names; the two above divide its "very
 * productive" feeds where it speaks of them later: more than one item an hour (7.3.2), more than 48 a day (6.3).
 */
export const ACTIVITY_CLASSES = [
  { id: 'very slow', fromPerDay: 0 },
  { id: 'moderate', fromPerDay: 1 },
  { id: 'productive', fromPerDay: 10 },
  { id: 'high', fromPerDay: 24 },
  { id: 'very high', fromPerDay: 48 },
] as const

export type ActivityClass = (typeof ACTIVITY_CLASSES)[number]['id']

export function activityClass(itemsPerDay: number): ActivityClass {
  let found: ActivityClass = 'very slow'
  for (const { id, fromPerDay } of ACTIVITY_CLASSES) if (itemsPerDay >= fromPerDay) found = id
  return found
}

export interface ActivityRow {
  readonly activity: ActivityClass
  readonly fromPerDay: number
  readonly sources: number
  readonly shareOfSources: number
  readonly shareOfItems: number
}

/** Figure 6.2: sources per activity class, and who publishes most of the items. */
export function activityDistribution(itemsPerDay: readonly number[]): readonly ActivityRow[] {
  const all = itemsPerDay.reduce((sum, rate) => sum + rate, 0)
  return ACTIVITY_CLASSES.map(({ id, fromPerDay }) => {
    const rates = itemsPerDay.filter((rate) => activityClass(rate) === id)
    const items = rates.reduce((sum, rate) => sum + rate, 0)
    return {
      activity: id,
      fromPerDay,
      sources: rates.length,
      shareOfSources: itemsPerDay.length > 0 ? rates.length / itemsPerDay.length : 0,
      shareOfItems: all > 0 ? items / all : 0,
    }
  })
}

/** Share of the items that the busiest share of the sources publishes: [HVT+11] found 97 % from 17 % (thesis 5.1). */
export function itemsOfBusiest(itemsPerDay: readonly number[], shareOfSources: number): number {
  const sorted = [...itemsPerDay].sort((a, b) => b - a)
  const all = sorted.reduce((sum, rate) => sum + rate, 0)
  const busiest = sorted.slice(0, Math.round(sorted.length * shareOfSources)).reduce((sum, rate) => sum + rate, 0)
  return all > 0 ? busiest / all : 0
}
