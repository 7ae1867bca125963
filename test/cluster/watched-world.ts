import { documentFetcher, feedUrl } from '../../lab/live/feed-documents.ts'
import { simSource } from '../../lab/simulator/world.ts'
import type { Fetcher, FetchOutcome } from '../../src/crawler/fetch/fetcher.ts'
import type { DurationMs, InstantMs } from '../../src/model/index.ts'
import type { Clock } from '../../src/runtime/clock.ts'

export interface WorldRequest {
  readonly by: string
  readonly url: string
  readonly host: string
  readonly at: InstantMs
}

/** Feeds that publish like clockwork, two on each host, and see who asks them when. */
export class WatchedWorld {
  readonly requests: WorldRequest[] = []
  /** Hosts that two crawlers were at, at the same time. */
  readonly crowded: WorldRequest[] = []
  /** Requests that were given up by who sent them. */
  readonly calledOff: WorldRequest[] = []
  readonly urls: readonly string[]
  /** How long an answer takes. */
  latencyMs: DurationMs = 200
  /** Hosts that want to be left alone so long, from their next answer on. */
  readonly retryAfterMs = new Map<string, DurationMs>()
  readonly #clock: Clock
  readonly #feeds: Fetcher
  readonly #times: readonly Float64Array[]
  readonly #underWay = new Map<string, Set<WorldRequest>>()

  constructor(clock: Clock, hosts: number, everyMs: DurationMs, items: number) {
    const start = clock.now()
    this.#clock = clock
    this.#times = Array.from({ length: hosts }, (_, k) =>
      Float64Array.from({ length: items }, (_, n) => start + (n + 1) * everyMs + k * 37),
    )
    this.#feeds = documentFetcher(
      this.#times.map((times, k) => simSource(k + 1, times, items)),
      clock,
    )
    this.urls = this.#times.flatMap((_, k) => [feedUrl(k), `${feedUrl(k)}?other`])
  }

  publishedBy(index: number, at: InstantMs): number {
    return this.#times[Math.floor(index / 2)]?.filter((time) => time <= at).length ?? 0
  }

  /** As one crawler reaches it. `isGone`: it was ended, and its connections with it. */
  fetcher(by: string, clock: Clock, isGone: () => boolean): Fetcher {
    return {
      fetch: async (request) => {
        const { url, signal } = request
        const { host } = new URL(url)
        const sent: WorldRequest = { by, url, host, at: this.#clock.now() }
        const here = this.#enter(sent)
        // Sent: whether the crawler stands still or not, the answer is on its way.
        await this.#clock.sleep(this.latencyMs, signal)
        here.delete(sent)
        if (signal?.aborted) this.calledOff.push(sent)
        if (isGone()) await new Promise(() => {})
        await clock.sleep(0)
        return signal?.aborted ? aborted(url) : (this.#refusal(url) ?? this.#feeds.fetch(request))
      },
      close: async () => {},
    }
  }

  /** How many of its requests wait for an answer. */
  underWay(by: string): number {
    return [...this.#underWay.values()].flatMap((here) => [...here]).filter((one) => one.by === by).length
  }

  /** Its connections are closed. */
  hangUp(by: string): void {
    for (const here of this.#underWay.values()) for (const one of here) if (one.by === by) here.delete(one)
  }

  #enter(sent: WorldRequest): Set<WorldRequest> {
    this.requests.push(sent)
    const here = this.#underWay.get(sent.host) ?? new Set()
    this.#underWay.set(sent.host, here)
    if ([...here].some(({ by }) => by !== sent.by)) this.crowded.push(sent)
    here.add(sent)
    return here
  }

  #refusal(url: string): FetchOutcome | null {
    const restMs = this.retryAfterMs.get(url)
    if (restMs === undefined) return null
    this.retryAfterMs.delete(url)
    const retryAt = this.#clock.now() + restMs
    return { ...failed(url), code: 'HTTP_TOO_MANY_REQUESTS', message: 'not now', status: 429, retryAt }
  }
}

const failed = (url: string) => ({
  kind: 'failed' as const,
  host: `${new URL(url).hostname}:80`,
  bytes: 0,
  latencyMs: 1,
  retryAt: null,
  status: null,
})

function aborted(url: string): FetchOutcome {
  return { ...failed(url), code: 'FETCH_ABORTED', message: 'called off' }
}
