import { type buildConnector, type Dispatcher, Pool } from 'undici'
import type { FetcherSettings } from './options.ts'

/** A borrowed way to an origin; `done` exactly once. */
export interface Lane {
  readonly dispatcher: Dispatcher
  /** How many connections were made so far: unchanged over a request that reused one. */
  connects(): number
  done(): void
}

interface Entry {
  readonly pool: Pool
  inFlight: number
  connects: number
}

/**
 * One pool of connections per origin in use. Unused ones are kept for a short while and in a bounded number: with ten
 * thousand hosts in rotation, undici's Agent holds each until its server hangs up.
 */
export class Origins {
  readonly #settings: FetcherSettings
  readonly #connect: buildConnector.connector
  readonly #busy = new Map<string, Entry>()
  /** Least recently used first. */
  readonly #idle = new Map<string, Entry>()

  constructor(settings: FetcherSettings, connect: buildConnector.connector) {
    this.#settings = settings
    this.#connect = connect
  }

  get size(): number {
    return this.#busy.size + this.#idle.size
  }

  borrow(origin: string): Lane {
    const entry = this.#busy.get(origin) ?? this.#idle.get(origin) ?? this.#open(origin)
    this.#idle.delete(origin)
    this.#busy.set(origin, entry)
    entry.inFlight++
    return {
      dispatcher: entry.pool,
      connects: () => entry.connects,
      done: () => this.#giveBack(origin, entry),
    }
  }

  async close(): Promise<void> {
    const entries = [...this.#busy.values(), ...this.#idle.values()]
    this.#busy.clear()
    this.#idle.clear()
    await Promise.all(entries.map((entry) => entry.pool.destroy()))
  }

  #open(origin: string): Entry {
    const { connectionsPerHost, headersTimeoutMs, bodyIdleTimeoutMs, keepAliveMs } = this.#settings
    const pool = new Pool(origin, {
      connect: this.#connect,
      connections: connectionsPerHost,
      pipelining: 1,
      headersTimeout: headersTimeoutMs,
      bodyTimeout: bodyIdleTimeoutMs,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
    })
    const entry: Entry = { pool, inFlight: 0, connects: 0 }
    pool.on('connect', () => entry.connects++)
    pool.on('disconnect', () => this.#forgetIfUnconnected(origin, entry))
    pool.on('connectionError', () => this.#forgetIfUnconnected(origin, entry))
    return entry
  }

  #giveBack(origin: string, entry: Entry): void {
    entry.inFlight--
    if (entry.inFlight > 0 || this.#busy.get(origin) !== entry) return
    this.#busy.delete(origin)
    this.#idle.set(origin, entry)
    if (entry.connects === 0) this.#forget(origin, entry)
    for (const [oldest, unused] of this.#idle) {
      if (this.#idle.size <= this.#settings.maxIdleHosts) break
      this.#forget(oldest, unused)
    }
  }

  #forgetIfUnconnected(origin: string, entry: Entry): void {
    if (this.#idle.get(origin) === entry && entry.pool.stats.connected === 0) this.#forget(origin, entry)
  }

  #forget(origin: string, entry: Entry): void {
    this.#idle.delete(origin)
    entry.pool.destroy().catch(() => {})
  }
}
