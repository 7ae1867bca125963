import { type AddressGuard, createAddressGuard } from '../../http/address-guard.ts'
import { FetchFailure, failureCode, failureDetail, isHangUp } from '../../http/failure.ts'
import { readTarget } from '../../http/target.ts'
import { type BodyLease, BodyMemory } from './body-memory.ts'
import { Exchange, type ExchangeResult } from './exchange.ts'
import { answerOutcome, type FetchAnswer, failureOutcome } from './fetch-outcome.ts'
import { Routes } from './fetch-routes.ts'
import type { Fetcher, FetchOutcome, FetchRequest } from './fetcher.ts'
import { calledOff, Journey } from './journey.ts'
import { type FetcherOptions, type FetcherSettings, withFetcherDefaults } from './options.ts'
import { firstHop, type Hop, isRedirect, locationOf, nextHop } from './redirects.ts'
import { type HeaderSet, isConditional, requestHeaders } from './request-headers.ts'

/** A fetcher over HTTP/1.1 with undici. One per node: it owns the connections. */
export function createFetcher(options: FetcherOptions = {}): Fetcher {
  const settings = withFetcherDefaults(options)
  const guard = createAddressGuard(settings.allowRanges)
  const routes = new Routes(settings, guard)
  const memory = new BodyMemory(settings.bodyMemory)
  return {
    fetch: (request) => new HttpFetch(request, settings, guard, routes, memory).run(),
    close: () => routes.close(),
  }
}

/** One fetch: requests along a chain of redirects until there is an outcome. */
class HttpFetch {
  readonly #request: FetchRequest
  readonly #settings: FetcherSettings
  readonly #guard: AddressGuard
  readonly #routes: Routes
  readonly #journey: Journey
  readonly #memory: BodyMemory
  /** Where nobody watches, what was read is processed at once. */
  #lease: BodyLease | null = null
  /** The one that an outcome is about. */
  #url: URL | null = null

  constructor(
    request: FetchRequest,
    settings: FetcherSettings,
    guard: AddressGuard,
    routes: Routes,
    memory: BodyMemory,
  ) {
    this.#request = request
    this.#memory = memory
    this.#settings = settings
    this.#guard = guard
    this.#routes = routes
    this.#journey = new Journey(settings, request)
  }

  async run(): Promise<FetchOutcome> {
    try {
      return await this.#follow()
    } catch (error) {
      const status = error instanceof FetchFailure ? error.status : null
      const code = failureCode(error, 'connecting', false)
      return failureOutcome(code, failureDetail(error), this.#url, this.#journey, { status })
    } finally {
      this.#journey.end()
      this.#lease?.release()
    }
  }

  async #follow(): Promise<FetchOutcome> {
    const { url, credentials } = readTarget(this.#request.url, this.#guard)
    const headers = requestHeaders(this.#request, credentials, this.#settings.userAgent)
    let hop = firstHop(url)
    for (;;) {
      const result = await this.#send(hop, headers)
      if (result.kind === 'failure') return this.#broken(result)
      if (!isRedirect(result.status)) return this.#arrived(result, hop, isConditional(headers.own))
      hop = this.#redirected(hop, result)
    }
  }

  async #send(hop: Hop, headers: HeaderSet): Promise<ExchangeResult> {
    this.#url = hop.url
    const sent = await (hop.redirects === 0 ? this.#exchange(hop, headers) : this.#politely(hop, headers))
    if (!sent.isStale) return sent.result
    // The server had already hung up on a connection that we kept; the request may be repeated (RFC 9112 §9.3.1).
    return (await this.#politely(hop, headers)).result
  }

  async #politely(hop: Hop, headers: HeaderSet): Promise<SentRequest> {
    const { enterHop } = this.#request
    if (enterHop === undefined) return this.#exchange(hop, headers)
    const leave = await this.#journey.pause(() => enterHop(hop.url, this.#journey.signal))
    try {
      return await this.#exchange(hop, headers)
    } finally {
      leave()
    }
  }

  async #exchange(hop: Hop, headers: HeaderSet): Promise<SentRequest> {
    if (this.#journey.signal.aborted) throw calledOff()
    const fields = hop.trusted ? headers.own : headers.foreign
    const route = this.#routes.to(hop.url, this.#request.proxyUrl, fields)
    const connectsBefore = route.connects()
    const room = {
      take: (bytes: number) => this.#inRoom((lease) => lease.take(bytes)),
      work: (bytes: number) => this.#inRoom((lease) => lease.work(bytes)),
    }
    const settings = limited(settingsFor(this.#request, this.#settings), this.#request.maxBytes)
    const exchange = new Exchange(settings, room, route.done)
    const { origin, path } = route
    route.dispatcher.dispatch({ origin, path, method: 'GET', headers: route.headers }, exchange)
    const result = await this.#journey.until(exchange)
    const isStale = connectsBefore > 0 && route.connects() === connectsBefore && isUnanswered(result)
    return { result, isStale }
  }

  /** Waiting for it is not the host's time. */
  #inRoom(take: (lease: BodyLease) => boolean | Promise<boolean>): boolean | Promise<boolean> {
    const { watch } = this.#request
    const lease = watch?.lease ?? this.#lease ?? this.#memory.lease()
    if (watch === undefined) this.#lease = lease
    else watch.lease = lease
    const room = take(lease)
    return typeof room === 'boolean' ? room : this.#journey.pause(() => room)
  }

  #redirected(hop: Hop, { status, headers }: FetchAnswer): Hop {
    const location = locationOf(headers, hop.url)
    if (location === null) throw new FetchFailure('FETCH_BAD_REDIRECT', `status ${status}`, status)
    const { url } = readTarget(location, this.#guard)
    if (hop.visited.has(url.href)) throw new FetchFailure('FETCH_REDIRECT_LOOP', `back to ${url.host}`, status)
    if (hop.redirects >= this.#settings.maxRedirects) {
      throw new FetchFailure('FETCH_TOO_MANY_REDIRECTS', `more than ${this.#settings.maxRedirects}`, status)
    }
    return nextHop(hop, status, url)
  }

  #arrived(answer: FetchAnswer, hop: Hop, wasConditional: boolean): FetchOutcome {
    return answerOutcome(answer, hop, this.#request, wasConditional, this.#journey, this.#settings.clock.now())
  }

  #broken({ error, phase, status }: Extract<ExchangeResult, { kind: 'failure' }>): FetchOutcome {
    const code = failureCode(error, phase, this.#request.proxyUrl !== null)
    return failureOutcome(code, failureDetail(error), this.#url, this.#journey, { status })
  }
}

/** Who wants no more than so much gets it, also where whole bodies must be smaller. */
function settingsFor(
  { enoughBytes, wantsBody }: FetchRequest,
  settings: FetcherSettings,
): ConstructorParameters<typeof Exchange>[0] {
  if (enoughBytes === undefined) return wantsBody === undefined ? settings : { ...settings, wantsBody }
  const maxBodyBytes = Math.max(settings.maxBodyBytes, enoughBytes)
  const maxCompressedBytes = Math.max(settings.maxCompressedBytes, enoughBytes)
  return { ...settings, ...(wantsBody && { wantsBody }), enoughBytes, maxBodyBytes, maxCompressedBytes }
}

interface SentRequest {
  readonly result: ExchangeResult
  /** It failed for a reason that a new connection would not have. */
  readonly isStale: boolean
}

function isUnanswered(result: ExchangeResult): boolean {
  return result.kind === 'failure' && result.phase === 'waiting' && isHangUp(result.error)
}

function limited(settings: FetcherSettings, maxBytes: number | undefined): FetcherSettings {
  if (maxBytes === undefined) return settings
  const { maxBodyBytes, maxCompressedBytes } = settings
  return {
    ...settings,
    maxBodyBytes: Math.min(maxBodyBytes, maxBytes),
    maxCompressedBytes: Math.min(maxCompressedBytes, maxBytes),
  }
}
