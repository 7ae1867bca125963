import type { DurationMs, InstantMs, Source } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import type { FetchOutcome, FetchRequest } from './fetch/fetcher.ts'
import { hostKey } from './fetch/host-key.ts'
import { type PipelineDeps, refreshSource, type SourceRefresh } from './pipeline.ts'

export type SpanFields = Readonly<Record<string, string | number | boolean>>

/** A part of a refresh, and when it was. */
export interface RefreshSpan {
  readonly name: 'fetch' | 'parse' | 'dedup' | 'plan' | 'store'
  readonly beganAt: InstantMs
  readonly tookMs: DurationMs
  readonly fields: SpanFields
  /** A code of our own; null: it went well. */
  readonly error: string | null
}

/** One refresh from its beginning to its end. */
export interface RefreshTrace extends Omit<RefreshSpan, 'name'> {
  readonly spans: readonly RefreshSpan[]
}

/** Refreshes as usual, and hands a trace of each to `take`, which must neither wait nor throw. */
export function tracedRefresh(take: (trace: RefreshTrace) => void): typeof refreshSource {
  return async (source, request, deps) => {
    const spans = new Spans(deps.clock)
    const end = spans.begin()
    try {
      const refreshed = await refreshSource(source, request, watched(deps, spans))
      take({ ...end(resultFields(source, refreshed, deps), errorOf(refreshed)), spans: spans.all })
      return refreshed
    } catch (error) {
      take({ ...end(sourceFields(source, deps), 'INTERNAL'), spans: spans.all })
      throw error
    }
  }
}

/** The pipeline as it is, with everything it calls measured. */
function watched(deps: PipelineDeps, spans: Spans): PipelineDeps {
  const { store, fetcher, parse, plan } = deps
  let endDedup: ReturnType<Spans['begin']> | null = null
  const watchedFetch = async (request: FetchRequest) => {
    const end = spans.begin()
    const fetched = await fetcher.fetch(request)
    spans.add('fetch', end(fetchFields(fetched), fetched.kind === 'failed' ? fetched.code : null))
    return fetched
  }
  return {
    ...deps,
    fetcher: { fetch: watchedFetch, close: () => fetcher.close() },
    parse(body, options) {
      const end = spans.begin()
      const parsed = parse(body, options)
      spans.add('parse', end({ 'headwater.format': parsed.format, 'headwater.items': parsed.items.length }, null))
      endDedup = spans.begin()
      return parsed
    },
    plan(observation, notBefore) {
      // All between the document and the plan: what is known, what is let in, and older pages after a loss.
      if (endDedup !== null) spans.add('dedup', endDedup({}, null))
      endDedup = null
      const end = spans.begin()
      const planned = plan(observation, notBefore)
      spans.add('plan', end({}, null))
      return planned
    },
    store: {
      knownItems: store.knownItems,
      observations: store.observations,
      intake: store.intake,
      arrivals: store.arrivals,
      async recordRefresh(record) {
        const end = spans.begin()
        const stored = await store.recordRefresh(record)
        const fields = { 'headwater.items.added': stored.added, 'headwater.items.changed': stored.changed }
        spans.add('store', end(fields, null))
        return stored
      },
    },
  }
}

class Spans {
  readonly all: RefreshSpan[] = []
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Durations are of the steady clock: the other may be set meanwhile. */
  begin(): (fields: SpanFields, error: string | null) => Omit<RefreshSpan, 'name'> {
    const beganAt = this.#clock.now()
    const beganMs = this.#clock.monotonicMs()
    return (fields, error) => ({ beganAt, tookMs: this.#clock.monotonicMs() - beganMs, fields, error })
  }

  add(name: RefreshSpan['name'], span: Omit<RefreshSpan, 'name'>): void {
    this.all.push({ name, ...span })
  }
}

/** The host alone: path and query of a feed often hold a token. */
function sourceFields({ id, url }: Source, { why }: PipelineDeps): SpanFields {
  return {
    'headwater.source.id': id,
    'server.address': hostKey(new URL(url)),
    ...(why === undefined ? {} : { 'headwater.cause': why.cause }),
  }
}

function resultFields(source: Source, refreshed: SourceRefresh | 'aborted', deps: PipelineDeps): SpanFields {
  const fields = sourceFields(source, deps)
  if (refreshed === 'aborted') return { ...fields, 'headwater.outcome': 'aborted' }
  const { fetched, added, changed } = refreshed
  return {
    ...fields,
    'headwater.outcome': fetched.kind,
    'headwater.items.added': added,
    'headwater.items.changed': changed,
  }
}

function errorOf(refreshed: SourceRefresh | 'aborted'): string | null {
  return refreshed === 'aborted' ? null : (refreshed.record.state.lastError?.code ?? null)
}

function fetchFields(fetched: FetchOutcome): SpanFields {
  const { status, bytes, latencyMs } = fetched
  return {
    ...(status === null ? {} : { 'http.response.status_code': status }),
    'http.response.size': bytes,
    'headwater.latency_ms': latencyMs,
  }
}
