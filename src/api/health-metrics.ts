import { ALARMS } from '../runtime/alarms.ts'
import type { MetricFamily } from './exposition.ts'
import type { NodeHealth } from './readiness.ts'

/** What an operator is woken by. Of this process: a restart starts over. */
export function healthMetrics({ alarms, layers, surprises, database }: NodeHealth): MetricFamily[] {
  const raised = new Set<string>(alarms().map(({ code }) => code))
  const states = layers()
  const verdict = database()
  return [
    {
      name: 'headwater_alarm',
      help: 'Whether an alarm is raised.',
      type: 'gauge',
      samples: Object.entries(ALARMS).map(([code, { severity }]) => ({
        labels: { code, severity },
        value: raised.has(code) ? 1 : 0,
      })),
    },
    {
      name: 'headwater_layer_failing',
      help: 'Whether a part of the node failed and has not been well for a while since.',
      type: 'gauge',
      samples: states.map(({ name, state }) => ({ labels: { layer: name }, value: state === 'failing' ? 1 : 0 })),
    },
    {
      name: 'headwater_layer_failures_total',
      help: 'Times that a part of the node failed and was started again.',
      type: 'counter',
      samples: states.map(({ name, failures }) => ({ labels: { layer: name }, value: failures })),
    },
    {
      name: 'headwater_unexpected_errors_total',
      help: 'Errors that nobody caught.',
      type: 'counter',
      samples: [{ value: surprises() }],
    },
    {
      name: 'headwater_database_check_timestamp_seconds',
      help: 'When the database was last looked through for damage; 0: not yet.',
      type: 'gauge',
      samples: [{ value: (verdict?.checkedAt ?? 0) / 1_000 }],
    },
    {
      name: 'headwater_database_damaged',
      help: 'Whether damage was found then.',
      type: 'gauge',
      samples: [{ value: (verdict?.faults.length ?? 0) > 0 ? 1 : 0 }],
    },
  ]
}
