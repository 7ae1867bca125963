import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { DatabaseVerdict } from '../../api/readiness.ts'
import { DAY_MS, type DurationMs, HOUR_MS, type InstantMs, MINUTE_MS } from '../../model/index.ts'
import type { Alarms } from '../../runtime/alarms.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import { jsonState, type NamedState } from '../../store/node-state.ts'
import { faultsOf } from '../../store/sqlite/backup/check.ts'
import type { Store } from '../../store/store.ts'

export interface DatabaseCheckDeps {
  readonly store: Pick<Store, 'state' | 'saveState'>
  /** What is wrong with the database. */
  readonly look: (signal: AbortSignal) => Promise<readonly string[]>
  /** The setting of the moment; 0: never. */
  readonly everyMs: () => DurationMs
  readonly alarms: Pick<Alarms, 'raise' | 'clear'>
  readonly clock: Clock
}

export interface DatabaseCheck {
  readonly layer: Layer
  /** null: there has been no check yet. */
  verdict(): DatabaseVerdict | null
}

/** null: there has been no check yet. */
const DATABASE_CHECK: NamedState<DatabaseVerdict | null> = jsonState('database-check', null, (stored) => {
  const { checkedAt, faults } = stored as DatabaseVerdict
  return Number.isFinite(checkedAt) && Array.isArray(faults) ? (stored as DatabaseVerdict) : undefined
})
/** A node that starts has other things to read. */
const FIRST_AFTER_MS = 10 * MINUTE_MS
/** So that a changed setting is followed. */
const LOOK_AT_CLOCK_EVERY_MS = HOUR_MS
/** What was damaged is looked at again soon: somebody may have mended it. */
const DAMAGED_EVERY_MS = DAY_MS

/** Looks through the database now and then, and keeps the verdict over restarts. */
export function createDatabaseCheck(deps: DatabaseCheckDeps): DatabaseCheck {
  const { store, look, everyMs, alarms, clock } = deps
  let verdict: DatabaseVerdict | null = null
  let startedAt: InstantMs | null = null
  let isKept = true

  const settle = (found: DatabaseVerdict) => {
    verdict = found
    if (found.faults.length === 0) alarms.clear('DATABASE_DAMAGED')
    else alarms.raise('DATABASE_DAMAGED', found.faults.join('; '))
  }

  async function check(signal: AbortSignal): Promise<void> {
    const startMs = clock.monotonicMs()
    const faults = await look(signal)
    if (signal.aborted) return
    settle({ checkedAt: clock.now(), tookMs: Math.round(clock.monotonicMs() - startMs), faults })
    isKept = false
    await keep()
  }

  async function keep(): Promise<void> {
    await store.saveState(DATABASE_CHECK, verdict)
    isKept = true
  }

  async function run(signal: AbortSignal, succeeded: () => void): Promise<void> {
    startedAt ??= clock.now()
    const before = verdict === null ? await store.state(DATABASE_CHECK) : null
    if (before !== null) settle(before)
    // What the store refused before a failure: the next check may be days away, and until then it would count as failing.
    if (!isKept) {
      await keep()
      succeeded()
    }
    while (!signal.aborted) {
      const waitMs = dueIn(verdict, everyMs(), startedAt, clock.now())
      if (waitMs > 0) await clock.sleep(Math.min(waitMs, LOOK_AT_CLOCK_EVERY_MS), signal)
      else {
        await check(signal)
        succeeded()
      }
    }
  }

  return { layer: { name: 'database check', run, healthyAfterMs: null }, verdict: () => verdict }
}

/** How long until the next check; a clock that jumps moves it by no more than the interval. */
export function dueIn(
  verdict: DatabaseVerdict | null,
  everyMs: DurationMs,
  startedAt: InstantMs,
  now: InstantMs,
): DurationMs {
  if (everyMs === 0) return Number.POSITIVE_INFINITY
  const afterStart = Math.min(FIRST_AFTER_MS, startedAt + FIRST_AFTER_MS - now)
  if (verdict === null) return afterStart
  const interval = verdict.faults.length === 0 ? everyMs : Math.min(everyMs, DAMAGED_EVERY_MS)
  return Math.max(afterStart, Math.min(interval, verdict.checkedAt + interval - now))
}

/** In a process of its own with the least priority; from the sources, which only tests run, in this one. */
export async function lookInProcess(path: string, signal: AbortSignal): Promise<readonly string[]> {
  if (!import.meta.url.endsWith('.js')) return faultsOf(path)
  const module = fileURLToPath(new URL('../../store/sqlite/backup/check-process.js', import.meta.url))
  const child = spawn(process.execPath, [module, path], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  })
  child.on('error', () => {})
  lowerPriority(child.pid)
  const [answer, complaint, [code, killedBy]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, string | null]>,
  ])
  if (signal.aborted) return []
  if (code === 0) return JSON.parse(answer) as readonly string[]
  throw new Error(`the check of the database ended with ${killedBy ?? code}: ${complaint.slice(0, 2_000)}`)
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It is only slower for the others, or over already.
  }
}
