import type { InstantMs } from '../model/index.ts'
import type { Clock } from './clock.ts'

/**
 * What an operator must see until it is over, and what to do about it; docs/operating.md explains each (a test compares the
 * two). `error`: something that the node is for does not happen; `warning`: it soon will not.
 */
export const ALARMS = {
  DISK_FULL: {
    severity: 'error',
    summary: 'The disk is full; nothing is fetched',
    hint: 'Make room on the disk of the data folder. Feeds are served meanwhile, and fetching goes on by itself.',
  },
  DISK_NEARLY_FULL: {
    severity: 'warning',
    summary: 'The disk is nearly full',
    hint: 'Make room on the disk of the data folder, or keep less: keepFor, keepItems, keepObservationsFor.',
  },
  DATA_LIMIT_REACHED: {
    severity: 'error',
    summary: 'The data folder has reached maxData; nothing is fetched',
    hint: 'Raise maxData, or keep less: keepFor, keepItems, keepObservationsFor. Feeds are served meanwhile, and fetching goes on by itself.',
  },
  DATA_LIMIT_NEAR: {
    severity: 'warning',
    summary: 'The data folder has nearly reached maxData',
    hint: 'Raise maxData, or keep less: keepFor, keepItems, keepObservationsFor.',
  },
  DISK_READ_ONLY: {
    severity: 'error',
    summary: 'The data folder cannot be written; nothing is fetched',
    hint: 'Look in the log of the system why the disk became read-only, and at the rights of the data folder. Feeds are served meanwhile, and fetching goes on by itself.',
  },
  SOURCE_FLOODING: {
    severity: 'warning',
    summary: 'A source shows more new items than are stored of it in a day; the rest is refused',
    hint: 'Look at the sources that are flooding (is:flooding in the list of sources). Where all of it is wanted, lift the allowance on the page of the source, or with `headwater source set SOURCE --allowance off`; else pause or remove it.',
  },
  DATABASE_DAMAGED: {
    severity: 'error',
    summary: 'The database is damaged',
    hint: 'Save what can be saved with `headwater backup FILE`, then restore the last good backup with `headwater restore FILE`. Look at the disk: files are rarely damaged without it.',
  },
  COMMITS_AT_RISK: {
    severity: 'warning',
    summary: 'A failover or a crash of the database may lose what was stored last',
    hint: 'Make commits wait for a standby: synchronous_commit = on and synchronous_standby_names on the database server; see docs/cluster.md.',
  },
  LAYER_FAILING: {
    severity: 'error',
    summary: 'A part of the node fails and is started again',
    hint: 'See the log of the node for the cause. What the others do goes on.',
  },
  UNEXPECTED_ERROR: {
    severity: 'warning',
    summary: 'Something failed that nobody expected',
    hint: 'See the log of the node, and please report it. The node goes on.',
  },
} as const satisfies Record<string, AlarmKind>

export interface AlarmKind {
  readonly severity: 'error' | 'warning'
  readonly summary: string
  /** What to do. */
  readonly hint: string
}

export type AlarmCode = keyof typeof ALARMS

export interface Alarm extends AlarmKind {
  readonly code: AlarmCode
  readonly since: InstantMs
  /** What exactly; for the operator, as it may name files. */
  readonly detail: string
}

export interface Alarms {
  /** One that is raised already keeps its time and takes the new detail. */
  raise(code: AlarmCode, detail: string): void
  /** Does nothing if it was not raised. */
  clear(code: AlarmCode): void
  /** Errors first, then by age. */
  list(): readonly Alarm[]
}

export interface AlarmsOptions {
  readonly clock: Pick<Clock, 'now'>
  /** Called when one comes or goes, not when its detail changes. */
  readonly onChange?: (change: { readonly alarm: Alarm; readonly isRaised: boolean }) => void
}

export function createAlarms({ clock, onChange }: AlarmsOptions): Alarms {
  const raised = new Map<AlarmCode, Alarm>()
  return {
    raise(code, detail) {
      const before = raised.get(code)
      const alarm = { code, ...ALARMS[code], since: before?.since ?? clock.now(), detail }
      raised.set(code, alarm)
      if (before === undefined) onChange?.({ alarm, isRaised: true })
    },
    clear(code) {
      const alarm = raised.get(code)
      if (alarm === undefined) return
      raised.delete(code)
      onChange?.({ alarm, isRaised: false })
    },
    list: () => inOrder([...raised.values()]),
  }
}

/** Errors first, then by age. */
export function inOrder(alarms: readonly Alarm[]): readonly Alarm[] {
  return [...alarms].sort(bySeverityAndAge)
}

function bySeverityAndAge(a: Alarm, b: Alarm): number {
  if (a.severity !== b.severity) return a.severity === 'error' ? -1 : 1
  return a.since - b.since
}
