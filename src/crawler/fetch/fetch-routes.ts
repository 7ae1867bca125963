import { buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici'
import type { AddressGuard } from '../../http/address-guard.ts'
import { checkedConnector, connectOptions, guardedConnector } from '../../http/connector.ts'
import { FetchFailure } from '../../http/failure.ts'
import { basicAuthorization, takeCredentials } from '../../http/target.ts'
import type { FetcherSettings } from './options.ts'
import { type OriginConnection, Origins } from './origins.ts'
import type { HeaderFields } from './request-headers.ts'

/** How a request gets to its host: directly or through a proxy. */
export interface FetchRoute extends OriginConnection {
  readonly origin: string
  readonly path: string
  readonly headers: HeaderFields
}

const MOST_PROXIES = 16

/**
 * With a proxy the address guard sees the proxy, whose address must be allowed like any other; where the proxy then
 * goes is its own affair, except that literal private addresses are refused before.
 */
export class Routes {
  readonly #settings: FetcherSettings
  readonly #guard: AddressGuard
  readonly #origins: Origins
  /** Least recently used first. */
  readonly #tunnels = new Map<string, ProxyAgent>()

  constructor(settings: FetcherSettings, guard: AddressGuard) {
    this.#settings = settings
    this.#guard = guard
    this.#origins = new Origins(settings, guardedConnector(settings, guard))
  }

  /** Throws a FetchFailure where the proxy's address is of no use. */
  to(url: URL, proxyUrl: string | null, headers: HeaderFields): FetchRoute {
    if (proxyUrl === null) {
      const { origin } = url
      const { dispatcher, connects, done } = this.#origins.borrow(origin)
      return { dispatcher, connects, done, origin, path: url.pathname + url.search, headers }
    }
    const proxy = readProxy(proxyUrl, this.#guard)
    return url.protocol === 'http:' ? this.#forwarded(url, proxy, headers) : this.#tunnelled(url, proxy, headers)
  }

  async close(): Promise<void> {
    const tunnels = [...this.#tunnels.values()]
    this.#tunnels.clear()
    await Promise.all([this.#origins.close(), ...tunnels.map((tunnel) => tunnel.destroy())])
  }

  /** Plain HTTP goes as a request to the proxy itself (RFC 9112 §3.2.2); many proxies tunnel to port 443 only. */
  #forwarded(url: URL, proxy: ProxyAddress, headers: HeaderFields): FetchRoute {
    const lane = this.#origins.borrow(proxy.origin)
    const own: HeaderFields = { ...headers, host: headers['host'] ?? url.host }
    if (proxy.authorization !== null) own['proxy-authorization'] = proxy.authorization
    return { ...lane, origin: proxy.origin, path: url.href, headers: own }
  }

  #tunnelled(url: URL, proxy: ProxyAddress, headers: HeaderFields): FetchRoute {
    return {
      dispatcher: this.#tunnel(proxy),
      // Not known, therefore never taken for a reused connection.
      connects: () => Number.NaN,
      done: () => {},
      origin: url.origin,
      path: url.pathname + url.search,
      headers,
    }
  }

  #tunnel(proxy: ProxyAddress): Dispatcher {
    const key = `${proxy.origin} ${proxy.authorization ?? ''}`
    const tunnel = this.#tunnels.get(key) ?? this.#openTunnel(proxy)
    this.#tunnels.delete(key)
    this.#tunnels.set(key, tunnel)
    for (const [oldest, unused] of this.#tunnels) {
      if (this.#tunnels.size <= MOST_PROXIES) break
      this.#tunnels.delete(oldest)
      unused.close().catch(() => {})
    }
    return tunnel
  }

  #openTunnel(proxy: ProxyAddress): ProxyAgent {
    const { connectionsPerHost, headersTimeoutMs, bodyIdleTimeoutMs, keepAliveMs } = this.#settings
    const connect = connectOptions(this.#settings, this.#guard)
    const limits = {
      headersTimeout: headersTimeoutMs,
      bodyTimeout: bodyIdleTimeoutMs,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
    }
    return new ProxyAgent({
      uri: proxy.origin,
      ...(proxy.authorization === null ? {} : { token: proxy.authorization }),
      requestTls: { timeout: this.#settings.connectTimeoutMs },
      ...limits,
      connections: connectionsPerHost,
      clientFactory: (origin) =>
        new Pool(origin, { ...limits, connect: checkedConnector(buildConnector(connect), this.#guard) }),
    })
  }
}

interface ProxyAddress {
  readonly origin: string
  readonly authorization: string | null
}

function readProxy(proxyUrl: string, guard: AddressGuard): ProxyAddress {
  let url: URL
  try {
    url = new URL(proxyUrl)
  } catch {
    throw new FetchFailure('FETCH_PROXY', 'its address cannot be read')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new FetchFailure('FETCH_PROXY', `${url.protocol.slice(0, -1)} proxies are not supported, only http and https`)
  }
  if (guard.refusesHost(url.hostname)) throw new FetchFailure('FETCH_ADDRESS_REFUSED', `the proxy ${url.hostname}`)
  const credentials = takeCredentials(url)
  return { origin: url.origin, authorization: credentials === null ? null : basicAuthorization(credentials) }
}
