import type { NodeHealth } from '../api/readiness.ts'
import { type Alarms, createAlarms } from '../runtime/alarms.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import { createSupervisor, type Supervisor } from '../runtime/supervisor.ts'
import { createSurprises } from '../runtime/surprises.ts'
import type { Environment } from './environment.ts'
import { type MemberAlarms, withOthers } from './member-alarms.ts'

/** What the node knows of its own state, and what ends it. */
export interface RunningHealth extends NodeHealth {
  /** Those of this process. */
  readonly raised: Alarms
  /** Who knows what other processes raise. */
  readonly watchOthers: (alarms: () => readonly MemberAlarms[]) => void
  readonly supervisor: Supervisor
  /** Who knows what the last check of the database found. */
  readonly watchDatabase: (verdict: NodeHealth['database']) => void
  /** An error that nobody caught. */
  readonly surprise: (error: unknown) => void
  /** Ends the node with this error. */
  readonly fail: (error: unknown) => void
  /** Rejects with the first of these. */
  readonly failed: Promise<never>
}

/** Starting a layer again repairs everything else, or it waits for a person while the rest goes on. */
function isFatal(error: unknown): boolean {
  return error instanceof HeadwaterError && error.code === 'STORE_GONE'
}

export function createNodeHealth(environment: Environment, onChange: () => void): RunningHealth {
  const { clock, logger } = environment
  const startedAt = clock.now()
  let fail: (error: unknown) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  failed.catch(() => {})
  const raised = createAlarms({
    clock,
    onChange({ alarm: { code, severity, detail, summary }, isRaised }) {
      if (isRaised) logger[severity === 'error' ? 'error' : 'warn']({ alarm: code, detail }, summary)
      else logger.info({ alarm: code }, 'alarm is over')
      onChange()
    },
  })
  const supervisor = createSupervisor({ ...environment, alarms: raised, isFatal })
  let database: NodeHealth['database'] = () => null
  let others: () => readonly MemberAlarms[] = () => []
  const surprises = createSurprises({ clock, logger, alarms: raised, onFlood: fail })
  return {
    startedAt: () => startedAt,
    raised,
    supervisor,
    alarms: () => withOthers(raised.list(), others()),
    watchOthers: (alarms) => {
      others = alarms
    },
    layers: supervisor.layers,
    surprises: () => surprises.count,
    database: () => database(),
    watchDatabase: (verdict) => {
      database = verdict
    },
    surprise: surprises.note,
    fail,
    failed,
  }
}
