import { type Counts, type ForesightMemory, MOST_COUNT, ratePerHour } from './memory.ts'
import type { ReadyTables } from './tables.ts'

/**
 * What is known of several sources as if they were one: their rates together, and the habits of all their items. The long rate
 * is set to the joint one, so that the memory gives exactly that (memory.ts). `shares`: how much of each counts; absent: all.
 */
export function joinMemories(
  memories: readonly ForesightMemory[],
  shares: readonly number[] | undefined,
  tables: ReadyTables,
): ForesightMemory {
  const total = (of: (memory: ForesightMemory) => number) =>
    sum(memories.map((memory, index) => of(memory) * (shares?.[index] ?? 1)))
  const rate = total(ratePerHour)
  const recentItems = total((memory) => memory.recentItems)
  const longItems = total((memory) => memory.longItems)
  const hours = joinCounts(memories.map((memory) => memory.hours))
  const parts = joinCounts(memories.map((memory) => memory.parts))
  const dated = sum(memories.map((memory) => memory.dated))
  const scale = Math.min(1, MOST_COUNT / Math.max(1, dated))
  return {
    v: 1,
    recentItems: Math.fround(recentItems),
    recentHours: Math.fround(recentItems / rate),
    longItems: Math.fround(longItems),
    longHours: Math.fround(longItems / rate),
    hours,
    days: joinCounts(memories.map((memory) => memory.days)),
    parts,
    wholeMinutes: Math.round(scale * sum(memories.map((memory) => memory.wholeMinutes))),
    dated: Math.round(scale * dated),
    era: memories[0]?.era ?? 0,
    weekCluster: tables.weekFit.of(hours.of),
    minuteCluster: tables.minuteFit.of(parts.of),
  }
}

function joinCounts(counts: readonly Counts[]): Counts {
  const total = new Array<number>(counts[0]?.of.length ?? 0).fill(0)
  for (const { of, exponent } of counts)
    for (let part = 0; part < of.length; part++) total[part] = (total[part] ?? 0) + (of[part] ?? 0) * 2 ** exponent
  let exponent = 0
  const most = Math.max(...total)
  while (most / 2 ** exponent > MOST_COUNT) exponent++
  return { of: total.map((count) => Math.floor(count / 2 ** exponent)), exponent }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
