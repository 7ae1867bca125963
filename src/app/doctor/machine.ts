import { readFile } from 'node:fs/promises'
import { HOUR_MS, type InstantMs } from '../../model/index.ts'
import { type CheckResult, fine, wrong } from './check-result.ts'

const OLDEST_NODE = 20

export function checkNodeVersion(version: string): CheckResult {
  const major = Number(version.split('.')[0])
  if (major >= OLDEST_NODE) return fine('Node', version)
  const hint = `Install Node ${OLDEST_NODE} or newer.`
  return wrong('Node', 'fault', 'NODE_TOO_OLD', `${version} is too old`, hint)
}

/** Connections, sources under way and files of the database share them. */
const FEWEST_FILES = 4_096

/** From /proc, where there is one. */
export async function checkOpenFiles(read: () => Promise<string> = readLimits): Promise<readonly CheckResult[]> {
  const limits = await read().catch(() => '')
  const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? []
  if (soft === undefined) return []
  if (soft === 'unlimited' || Number(soft) >= FEWEST_FILES) return [fine('open files', `up to ${soft}`)]
  const hint = `Raise it: ulimit -n ${FEWEST_FILES}, or LimitNOFILE=${FEWEST_FILES} in a systemd unit.`
  return [wrong('open files', 'warning', 'FEW_OPEN_FILES', `at most ${soft} at once`, hint)]
}

function readLimits(): Promise<string> {
  return readFile('/proc/self/limits', 'utf8')
}

const SKEW_MS = HOUR_MS

/** Before this there was no such program. */
const EARLIEST = Date.UTC(2026, 0, 1)

/** `latest`: a moment that this node has written down, so that it is over; null: none. */
export function checkClock(now: InstantMs, latest: InstantMs | null): CheckResult {
  const past = Math.max(latest ?? 0, EARLIEST)
  if (now > past - SKEW_MS) return fine('clock', new Date(now).toISOString())
  const words = `it says ${new Date(now).toISOString()}, but it has been ${new Date(past).toISOString()} already`
  return wrong(
    'clock',
    'fault',
    'CLOCK_BEHIND',
    words,
    'Set the clock of the machine, best by NTP (timedatectl set-ntp true).',
  )
}
