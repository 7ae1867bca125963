import type { DurationMs } from '../../src/model/index.ts'

/** A request as the sites saw it, by the monotonic clock that all processes of a machine share. */
export interface SiteRequest {
  /** The user agent: another one for each crawler, and for each of its starts. */
  readonly by: string
  readonly host: number
  readonly feed: number
  readonly fromMs: DurationMs
  /** When it was answered, or given up; absent: it still waits. */
  untilMs?: DurationMs
}

export interface BusiestSpan {
  readonly requests: number
  readonly atMost: number
}

/**
 * Of all spans of this length the one with the most requests beyond `atMost`, which says what is right for a span that ends at
 * a moment.
 */
export function busiestSpan(
  requests: readonly SiteRequest[],
  spanMs: DurationMs,
  atMost: (atMs: DurationMs) => number,
): BusiestSpan {
  const times = requests.map(({ fromMs }) => fromMs).sort((a, b) => a - b)
  let worst: BusiestSpan = { requests: 0, atMost: Number.POSITIVE_INFINITY }
  let first = 0
  for (const [last, at] of times.entries()) {
    while ((times[first] ?? at) <= at - spanMs) first++
    const here: BusiestSpan = { requests: last - first + 1, atMost: atMost(at) }
    const isWorse = here.requests - here.atMost - (worst.requests - worst.atMost)
    if (isWorse > 0 || (isWorse === 0 && here.requests > worst.requests)) worst = here
  }
  return worst
}

/** Requests that came to a host while another crawler waited there for an answer. */
export function crowdedRequests(requests: readonly SiteRequest[]): readonly SiteRequest[] {
  const underWay = new Map<number, SiteRequest[]>()
  return [...requests]
    .sort((a, b) => a.fromMs - b.fromMs)
    .filter((one) => {
      const here = (underWay.get(one.host) ?? []).filter(
        ({ untilMs = Number.POSITIVE_INFINITY }) => untilMs > one.fromMs,
      )
      underWay.set(one.host, [...here, one])
      return here.some(({ by }) => by !== one.by)
    })
}
