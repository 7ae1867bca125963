import type { AlarmCode } from '../../runtime/alarms.ts'

/** What was seen of the disk of the data folder. */
export interface DiskFacts {
  readonly totalBytes: number
  /** For this process; what only the administrator may use does not count. */
  readonly freeBytes: number
  /** Of the data folder, without what is free within the database; null: nobody asked. */
  readonly usedBytes: number | null
  readonly isWritable: boolean
  /** How a trial write ended; null: there was none. */
  readonly trial: 'fine' | 'full' | 'read-only' | null
}

export interface Verdict {
  readonly hasSpace: boolean
  readonly alarms: ReadonlyMap<AlarmCode, string>
}

const MIB = 1024 ** 2
const WARN_AT = 0.9
/** Below this share of the limit it counts as reached no more, so that it does not come and go with every item. */
const OVER_BELOW = 0.98

/** Left for sessions, settings and retention, which write even when nothing is fetched. */
export function reserveBytes(totalBytes: number): number {
  return Math.min(32 * MIB, Math.round(0.02 * totalBytes))
}

/** `before`: alarms that stand. */
export function judgeDiskSpace(
  facts: DiskFacts,
  maxBytes: number | undefined,
  before: ReadonlySet<AlarmCode>,
): Verdict {
  const alarms = new Map<AlarmCode, string>()
  judgeDisk(facts, before, alarms)
  if (maxBytes !== undefined && facts.usedBytes !== null) judgeLimit(facts.usedBytes, maxBytes, before, alarms)
  const hasRoom = !(['DISK_FULL', 'DISK_READ_ONLY', 'DATA_LIMIT_REACHED'] as const).some((code) => alarms.has(code))
  return { hasSpace: hasRoom, alarms }
}

function judgeDisk(facts: DiskFacts, before: ReadonlySet<AlarmCode>, alarms: Map<AlarmCode, string>): void {
  const { totalBytes, freeBytes, isWritable, trial } = facts
  const free = `${inMib(freeBytes)} of ${inMib(totalBytes)} MiB are free`
  const reserve = reserveBytes(totalBytes) * (before.has('DISK_FULL') ? 1.5 : 1)
  if (!isWritable || trial === 'read-only') alarms.set('DISK_READ_ONLY', 'the data folder refuses to be written')
  else if (trial === 'full' || freeBytes < reserve) alarms.set('DISK_FULL', free)
  else if (freeBytes < (1 - WARN_AT) * totalBytes) alarms.set('DISK_NEARLY_FULL', free)
}

function judgeLimit(used: number, max: number, before: ReadonlySet<AlarmCode>, alarms: Map<AlarmCode, string>): void {
  const text = `${inMib(used)} of ${inMib(max)} MiB are used`
  const reached = before.has('DATA_LIMIT_REACHED') ? OVER_BELOW * max : max
  if (used >= reached) alarms.set('DATA_LIMIT_REACHED', text)
  else if (used >= WARN_AT * max) alarms.set('DATA_LIMIT_NEAR', text)
}

function inMib(bytes: number): string {
  return (bytes / MIB).toFixed(1)
}
