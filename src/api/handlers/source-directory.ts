import type { z } from 'zod'
import { type InstantMs, losesOften, SECOND_MS, type SourceId } from '../../model/index.ts'
import { withoutCredentials } from '../../publisher/web-address.ts'
import type { Clock } from '../../runtime/clock.ts'
import { giveWay } from '../../runtime/event-loop-turns.ts'
import type { SourceSummary } from '../../store/source-summaries.ts'
import type { Store } from '../../store/store.ts'
import type { condition, sourceRow } from '../operations/sources.ts'
import type { ModelReader } from '../services.ts'

export type SourceRow = z.infer<typeof sourceRow>
export type SourceCondition = z.infer<typeof condition>

/** All sources as lists show them, read at most once in a while. */
export interface SourceDirectory {
  rows(): Promise<readonly SourceRow[]>
  byId(): Promise<ReadonlyMap<SourceId, SourceRow>>
  /** Something was changed through the API: who changed it wants to see it. */
  forget(): void
}

/** Rows read in one go: some ten milliseconds, so that others get their turn. */
const BATCH = 200
/**
 * They are cached for so many times as long as reading them took: what is cheap is always new, and what is expensive
 * (50,000 take a second or two) does not become most of the node's work while somebody looks at lists.
 */
const KEEP_TIMES = 10
const KEEP_MOST_MS = 30 * SECOND_MS

export function createSourceDirectory(
  store: Pick<Store, 'sourceSummaries'>,
  models: Pick<ModelReader, 'ratePerHour'>,
  clock: Pick<Clock, 'now' | 'monotonicMs'>,
): SourceDirectory {
  let reading: Reading | null = null
  const begin = (): Reading => {
    const startedAt = clock.monotonicMs()
    const read: Reading = { rows: readAll(store, models, clock.now()), byId: null, until: Number.POSITIVE_INFINITY }
    read.rows.then(
      () => {
        const now = clock.monotonicMs()
        read.until = now + Math.min(KEEP_MOST_MS, KEEP_TIMES * (now - startedAt))
      },
      () => {
        if (reading === read) reading = null
      },
    )
    return read
  }
  const current = () => {
    if (reading === null || clock.monotonicMs() > reading.until) reading = begin()
    return reading
  }
  return {
    rows: () => current().rows,
    byId() {
      const read = current()
      read.byId ??= read.rows.then((all) => new Map(all.map((row) => [row.id, row])))
      return read.byId
    },
    forget() {
      reading = null
    },
  }
}

interface Reading {
  readonly rows: Promise<readonly SourceRow[]>
  /** Made when first asked for. */
  byId: Promise<ReadonlyMap<SourceId, SourceRow>> | null
  until: InstantMs
}

async function readAll(
  store: Pick<Store, 'sourceSummaries'>,
  models: Pick<ModelReader, 'ratePerHour'>,
  now: InstantMs,
): Promise<readonly SourceRow[]> {
  const rows: SourceRow[] = []
  for (let afterId = 0; ; ) {
    const summaries = await store.sourceSummaries({ afterId, limit: BATCH })
    for (const summary of summaries) {
      rows.push(sourceRowOf(summary, models, now))
      afterId = summary.id
    }
    if (summaries.length < BATCH) return rows
    await giveWay()
  }
}

export function sourceRowOf(
  summary: SourceSummary,
  models: Pick<ModelReader, 'ratePerHour'>,
  now: InstantMs,
): SourceRow {
  const url = withoutCredentials(summary.url)
  return {
    id: summary.id,
    name: summary.name || summary.title || url,
    url,
    categories: [...summary.categories],
    condition: conditionOf(summary, now),
    weight: summary.weight,
    items: summary.items,
    ratePerHour: models.ratePerHour(summary.model),
    windowSize: summary.model === null ? null : summary.model.windowSize,
    lastCheckAt: summary.lastCheckAt,
    nextCheckAt: summary.nextCheckAt,
    lastNewItemAt: summary.lastNewItemAt,
    errorCode: summary.errorCode,
  }
}

type Signs = Pick<SourceSummary, 'paused' | 'status' | 'isSaturated' | 'lastLosses' | 'isRefused'>

function conditionOf(signs: Signs, now: InstantMs): SourceCondition {
  if (signs.paused) return 'paused'
  if (signs.status !== 'active') return signs.status
  if (signs.isRefused) return 'flooding'
  return signs.isSaturated || losesOften(signs.lastLosses, now) ? 'saturated' : 'active'
}
