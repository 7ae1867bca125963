import type { BufferState } from '../buffer/buffer.ts'
import type { QualityTally } from '../model/index.ts'
import { bucketEndMs, MOST_BUCKET } from '../quality/delay-buckets.ts'
import type { QualityMeasures } from '../quality/live.ts'
import type { StoreCounts } from '../store/store.ts'
import { histogram, type MetricFamily } from './exposition.ts'
import { healthMetrics } from './health-metrics.ts'
import type { NodeHealth } from './readiness.ts'
import type { RefusedCall } from './refused-calls.ts'

export interface MetricSource {
  readonly version: string
  readonly counts: StoreCounts
  readonly buffer: BufferState | null
  /** Since the data folder exists. */
  readonly ever: QualityTally
  readonly recent: Readonly<Record<'hour' | 'day' | 'week', QualityMeasures>>
  readonly health: NodeHealth
  /** Of today. */
  readonly refusals: readonly { readonly refused: number }[]
  /** Of this process. */
  readonly refusedCalls: readonly RefusedCall[]
}

/** Everything at /metrics. Counters are of the data folder, not of the process: a restart does not reset them. */
export function nodeMetrics(source: MetricSource): MetricFamily[] {
  const { version, counts, buffer, ever, recent, health, refusals } = source
  const counter = (name: string, help: string, value: number): MetricFamily => ({
    name: `headwater_${name}_total`,
    help,
    type: 'counter',
    samples: [{ value }],
  })
  const gauge = (name: string, help: string, value: number): MetricFamily => ({
    name: `headwater_${name}`,
    help,
    type: 'gauge',
    samples: [{ value }],
  })
  /** Periods in which there was nothing to measure are left out. */
  const over = (name: string, help: string, of: (measures: QualityMeasures) => number | null): MetricFamily => ({
    name: `headwater_${name}`,
    help,
    type: 'gauge',
    samples: Object.entries(recent).flatMap(([period, measures]) => {
      const value = of(measures)
      return value === null ? [] : [{ labels: { over: period }, value }]
    }),
  })
  return [
    { ...gauge('build_info', 'The version that is running.', 1), samples: [{ labels: { version }, value: 1 }] },
    gauge('sources', 'Sources that are followed.', counts.sources),
    gauge('archived_items', 'Items in the archive.', counts.items),
    gauge('flooding_sources', 'Sources of which items were refused today.', refusals.length),
    gauge(
      'refused_items_today',
      'Items that were not stored today, because the allowance of their source was used up.',
      refusals.reduce((sum, { refused }) => sum + refused, 0),
    ),
    ...(buffer === null ? [] : bufferMetrics(buffer)),
    ...healthMetrics(health),
    refusedMetric(source.refusedCalls),
    counter('requests', 'Requests to sources, those for older pages included.', ever.requests),
    counter('failed_requests', 'Refreshes that failed.', ever.failures),
    counter('useful_refreshes', 'Refreshes that brought something new.', ever.useful),
    counter('unchanged_refreshes', 'Refreshes answered with 304 or the same bytes.', ever.unchanged),
    counter('received_bytes', 'Bytes of bodies as sent over the wire.', ever.bytes),
    counter('items', 'New items, but for those of first refreshes.', ever.items),
    counter('saturated_refreshes', 'Refreshes that found nothing known in the window.', ever.saturated),
    counter(
      'repaired_items',
      'Items that came from older pages after they had fallen out of the window.',
      ever.repaired,
    ),
    counter('lost_items_estimated', 'Items that fell out of a window unseen; estimated.', ever.lost),
    delayHistogram(ever),
    over('completeness_ratio', 'Items got over items published; estimated where a window turned over.', (m) =>
      m.completeness === null ? null : m.completeness.value,
    ),
    over('freshness_ratio', 'Share of the windows of the sources that is known, over time; estimated.', (m) =>
      m.freshness === null ? null : m.freshness.value,
    ),
    over('item_delay_mean_seconds', 'From publication to first sight; estimated where items have no date.', (m) =>
      m.delay === null ? null : m.delay.meanMs / 1000,
    ),
    over('useful_request_ratio', 'Refreshes that brought something new, of all requests.', (m) => m.usefulShare),
  ]
}

function refusedMetric(calls: readonly RefusedCall[]): MetricFamily {
  return {
    name: 'headwater_refused_calls_total',
    help: 'Calls of subscribers, hubs and nodes that were refused. Of this process: a restart starts over.',
    type: 'counter',
    samples: calls.map(({ door, code, count }) => ({ labels: { door, code }, value: count })),
  }
}

function bufferMetrics(buffer: BufferState): MetricFamily[] {
  return [
    {
      name: 'headwater_buffer_entries',
      help: 'Entries of the item buffer that its slowest reader has not read.',
      type: 'gauge',
      samples: [{ value: buffer.backlog }],
    },
  ]
}

/** Every fourth bucket of ours: each four times as long as the one before. */
function delayHistogram(ever: QualityTally): MetricFamily {
  const buckets: { upTo: number; items: number }[] = []
  for (let bucket = 0; bucket <= MOST_BUCKET; bucket += 4) {
    const items = ever.delays.filter((one) => one.bucket > bucket - 4 && one.bucket <= bucket)
    buckets.push({ upTo: bucketEndMs(bucket) / 1000, items: items.reduce((sum, one) => sum + one.items, 0) })
  }
  const help = 'From publication to first sight; half the time between two refreshes for items without a date.'
  return histogram('headwater_item_delay_seconds', help, buckets, ever.delayMs / 1000)
}
