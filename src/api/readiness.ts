import type { BufferState } from '../buffer/buffer.ts'
import type { DurationMs, InstantMs } from '../model/index.ts'
import type { Alarm } from '../runtime/alarms.ts'
import type { LayerState } from '../runtime/supervisor.ts'
import type { StoreCounts } from '../store/store.ts'

/** What the node knows of its own state; app/ makes it. */
export interface NodeHealth {
  /** When the node was started; another instant means that it was started again, however quick that was. */
  startedAt(): InstantMs
  alarms(): readonly Alarm[]
  layers(): readonly LayerState[]
  /** Errors that nobody caught, since the process began. */
  surprises(): number
  /** null: the database has not been looked through yet. */
  database(): DatabaseVerdict | null
}

/** What SQLite's quick_check found when it last looked through the database. */
export interface DatabaseVerdict {
  readonly checkedAt: InstantMs
  readonly tookMs: DurationMs
  /** Nothing: it is whole. */
  readonly faults: readonly string[]
}

export type Status = 'ok' | 'degraded' | 'unready'

/**
 * `ok`: everything works; there may be warnings. `degraded`: it serves, but something that it is for does not happen.
 * `unready`: it cannot read its archive, so it has nothing to serve.
 */
function statusOf(counts: StoreCounts | null, alarms: readonly Pick<Alarm, 'severity'>[]): Status {
  if (counts === null) return 'unready'
  return alarms.some(({ severity }) => severity === 'error') ? 'degraded' : 'ok'
}

export interface ReadinessSource {
  readonly counts: () => Promise<StoreCounts>
  readonly buffer: () => Promise<BufferState | null>
  readonly health: NodeHealth
  readonly version: string
  /** Details are for the operator: they name files and addresses. */
  readonly withDetails: boolean
}

export async function readinessOf({ counts, buffer, health, version, withDetails }: ReadinessSource) {
  const [archive, queue] = await Promise.all([counts().catch(() => null), buffer().catch(() => null)])
  const alarms = health.alarms()
  return {
    status: statusOf(archive, alarms),
    version,
    startedAt: health.startedAt(),
    alarms: alarms.map((alarm) => ({ ...alarm, detail: withDetails ? alarm.detail : null })),
    layers: health.layers().map(({ name, state, failures, lastFailure, retryAt }) => ({
      name,
      state,
      failures,
      lastError: lastFailure === null ? null : (lastFailure.code ?? 'INTERNAL'),
      retryAt,
    })),
    database: shownVerdict(health.database()),
    sources: archive?.sources ?? null,
    items: archive?.items ?? null,
    observations: archive?.observations ?? null,
    // Readers of the API know dropped entries by this name.
    buffer: queue === null ? null : { backlog: queue.backlog, capacity: queue.capacity, shed: { ...queue.dropped } },
  }
}

function shownVerdict(verdict: DatabaseVerdict | null) {
  if (verdict === null) return { verdict: 'unchecked' as const, checkedAt: null, tookMs: null }
  const { checkedAt, tookMs, faults } = verdict
  return { verdict: faults.length === 0 ? ('ok' as const) : ('damaged' as const), checkedAt, tookMs }
}
