import { HOUR_MS, type InstantMs, MINUTE_MS, type Random } from '../../../model/index.ts'
import { clusterCounts } from './cluster-counts.ts'
import { itemsPerEvent, learnOwnHabits } from './own-habits.ts'
import { FLAT_TABLES, type ForesightTables, HOURS, MINUTES } from './tables.ts'
import { dayOfWeek } from './week.ts'

export interface LearnTablesOptions {
  readonly weekClusters?: number
  readonly minuteClusters?: number
}

/**
 * The shared tables from the item dates of many sources (live: the archive; in the lab: the learning days). One list of
 * dates per source. Sources with fewer than a dozen items say too little to shape a cluster; they still choose one.
 */
export function learnTables(
  histories: Iterable<ArrayLike<InstantMs>>,
  random: Random,
  options: LearnTablesOptions = {},
): ForesightTables {
  const weeks: number[][] = []
  const minutes: number[][] = []
  const known: ArrayLike<InstantMs>[] = []
  for (const times of histories) {
    if (times.length < LEAST_ITEMS) continue
    const week = new Array<number>(2 * HOURS).fill(0)
    const hour = new Array<number>(MINUTES).fill(0)
    for (let index = 0; index < times.length; index++) {
      const at = times[index]!
      week[(dayOfWeek(at) >= 5 ? HOURS : 0) + (Math.floor(at / HOUR_MS) % HOURS)]! += 1
      hour[Math.floor(at / MINUTE_MS) % MINUTES]! += 1
    }
    known.push(times)
    weeks.push(week)
    minutes.push(hour)
  }
  if (weeks.length === 0) return FLAT_TABLES
  const together = itemsPerEvent(known)
  const tables: ForesightTables = {
    v: 1,
    weeks: clusterCounts(weeks, options.weekClusters ?? 12, FLAT_TABLES.weeks[0]!, random, together),
    minutes: clusterCounts(minutes, options.minuteClusters ?? 8, FLAT_TABLES.minutes[0]!, random, together),
  }
  return { ...tables, own: learnOwnHabits(tables, known) }
}

const LEAST_ITEMS = 12
