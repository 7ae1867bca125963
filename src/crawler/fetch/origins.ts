import { type buildConnector, Client, type Dispatcher } from 'undici'
import type { FetcherSettings } from './options.ts'

/** A borrowed way to an origin; `done` exactly once. */
export interface OriginConnection {
  readonly dispatcher: Dispatcher
  /** How many connections were made so far: unchanged over a request that reused one. */
  connects(): number
  done(): void
}

/** A client holds one connection, and opens the next when that is gone. */
interface Slot {
  readonly client: Client
  inFlight: number
  connects: number
}

interface OriginPool {
  readonly slots: Slot[]
  inFlight: number
}

/**
 * A few connections per origin in use. Unused ones are kept for a short while and in a bounded number: ten thousand
 * hosts in rotation must not mean ten thousand open sockets.
 *
 * undici's own Pool is not used: it allocates 16 KB per origin for a queue that politeness keeps empty (peak memory
 * over 10,000 hosts in turn: +219 MB with Agent and Pool, +84 MB so), and opens a second connection when a request
 * follows an answer within the same turn of the event loop.
 */
export class Origins {
  readonly #settings: FetcherSettings
  readonly #connect: buildConnector.connector
  readonly #busy = new Map<string, OriginPool>()
  /** Least recently used first. */
  readonly #idle = new Map<string, OriginPool>()

  constructor(settings: FetcherSettings, connect: buildConnector.connector) {
    this.#settings = settings
    this.#connect = connect
  }

  get size(): number {
    return this.#busy.size + this.#idle.size
  }

  borrow(name: string): OriginConnection {
    const origin = this.#busy.get(name) ?? this.#idle.get(name) ?? { slots: [], inFlight: 0 }
    this.#idle.delete(name)
    this.#busy.set(name, origin)
    const slot = this.#freeSlot(name, origin)
    origin.inFlight++
    slot.inFlight++
    return {
      dispatcher: slot.client,
      connects: () => slot.connects,
      done: () => this.#giveBack(name, origin, slot),
    }
  }

  async close(): Promise<void> {
    const slots = [...this.#busy.values(), ...this.#idle.values()].flatMap((origin) => origin.slots)
    this.#busy.clear()
    this.#idle.clear()
    await Promise.all(slots.map((slot) => slot.client.destroy()))
  }

  /** An unused one, a new one while there may be more, or else the one with the shortest queue. */
  #freeSlot(name: string, origin: OriginPool): Slot {
    const [first, ...others] = origin.slots
    const best = others.reduce<Slot | undefined>((a, b) => (a === undefined || b.inFlight < a.inFlight ? b : a), first)
    const isFull = origin.slots.length >= this.#settings.connectionsPerHost
    return best !== undefined && (best.inFlight === 0 || isFull) ? best : this.#open(name, origin)
  }

  #open(name: string, origin: OriginPool): Slot {
    const { headersTimeoutMs, bodyIdleTimeoutMs, keepAliveMs } = this.#settings
    const client = new Client(name, {
      connect: this.#connect,
      pipelining: 1,
      headersTimeout: headersTimeoutMs,
      bodyTimeout: bodyIdleTimeoutMs,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
    })
    const slot: Slot = { client, inFlight: 0, connects: 0 }
    client.on('connect', () => slot.connects++)
    client.on('disconnect', () => this.#forgetIfUnconnected(name, origin))
    client.on('connectionError', () => this.#forgetIfUnconnected(name, origin))
    origin.slots.push(slot)
    return slot
  }

  #giveBack(name: string, origin: OriginPool, slot: Slot): void {
    slot.inFlight--
    origin.inFlight--
    if (origin.inFlight > 0 || this.#busy.get(name) !== origin) return
    this.#busy.delete(name)
    this.#idle.set(name, origin)
    // No connection, no event that would end it.
    if (origin.slots.every(({ connects }) => connects === 0)) this.#forget(name, origin)
    for (const [oldest, unused] of this.#idle) {
      if (this.#idle.size <= this.#settings.maxIdleHosts) break
      this.#forget(oldest, unused)
    }
  }

  #forgetIfUnconnected(name: string, origin: OriginPool): void {
    const isUnconnected = origin.slots.every(({ client }) => !client.stats.connected)
    if (isUnconnected && this.#idle.get(name) === origin) this.#forget(name, origin)
  }

  #forget(name: string, origin: OriginPool): void {
    this.#idle.delete(name)
    for (const { client } of origin.slots) client.destroy().catch(() => {})
  }
}
