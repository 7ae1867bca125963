import { crawlerFor } from '../../src/app/crawling/crawling.ts'
import { leasedTerritory } from '../../src/app/crawling/leased-territory.ts'
import { openPoliteness } from '../../src/app/crawling/politeness.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import type { ItemBuffer } from '../../src/buffer/buffer.ts'
import type { Notifier } from '../../src/buffer/notifier.ts'
import { LeaseKeeper } from '../../src/cluster/lease-keeper.ts'
import type { LeaseStore } from '../../src/cluster/lease-store.ts'
import type { Fetcher } from '../../src/crawler/fetch/fetcher.ts'
import type { DurationMs } from '../../src/model/index.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { type SteadyClock, steady } from '../../src/runtime/steady-clock.ts'
import type { Store } from '../../src/store/store.ts'
import type { WatchedWorld } from './watched-world.ts'

export interface Ground {
  readonly clock: Clock
  readonly store: Store
  readonly buffer: ItemBuffer
  readonly notifier: Notifier
  readonly leases: LeaseStore
  readonly world: WatchedWorld
  readonly leaseMs: DurationMs
  readonly shards: number
  readonly spacingMs: DurationMs
}

/** A crawler with its leases, as a process of its own would be: it can be ended, killed, or made to stand still. */
export class TestCrawler {
  readonly name: string
  readonly keeper: LeaseKeeper
  /** Codes of what the store refused. */
  readonly refused: string[] = []
  readonly #end = new AbortController()
  readonly #ended: Promise<void>
  readonly #ground: Ground
  #stalledUntil = Number.NEGATIVE_INFINITY
  #cutUntil = Number.NEGATIVE_INFINITY
  #isKilled = false

  constructor(name: string, ground: Ground) {
    this.name = name
    this.#ground = ground
    const { world, leaseMs } = ground
    const clock: Clock = {
      now: () => ground.clock.now(),
      monotonicMs: () => ground.clock.monotonicMs(),
      sleep: async (ms, signal) => {
        await ground.clock.sleep(ms, signal)
        await this.#untilAlive()
      },
    }
    const member = { id: name, name, roles: ['crawler'], version: '1' }
    const leases = this.#reached(ground.leases)
    const common = { member, role: 'crawler', clock, logger: silentLogger } as const
    this.keeper = new LeaseKeeper({ ...common, leases, leaseMs, shards: ground.shards })
    this.#ended = this.#run(
      steady(clock),
      world.fetcher(name, clock, () => this.#isKilled),
    )
  }

  /** As on SIGTERM. */
  async stop(): Promise<void> {
    this.#end.abort()
    await this.#ended
  }

  /** As by SIGKILL: nothing more comes of it. */
  kill(): void {
    this.#isKilled = true
    this.#ground.world.hangUp(this.name)
  }

  /** As between SIGSTOP and SIGCONT. */
  stall(forMs: DurationMs): void {
    this.#stalledUntil = this.#ground.clock.monotonicMs() + forMs
  }

  /** What it writes arrives when the network is mended: leases and what came of refreshes. */
  cut(forMs: DurationMs): void {
    this.#cutUntil = this.#ground.clock.monotonicMs() + forMs
  }

  async #run(clock: SteadyClock, fetcher: Fetcher): Promise<void> {
    const { store, buffer, notifier, spacingMs } = this.#ground
    const data = { store: this.#reached(store), buffer, notifier }
    const flags = { budget: '100000/min', hostSpacing: spacingMs, checkpoint: '5s', minInterval: '1s' }
    const config = loadConfig('none', flags, {})
    const hostMemory = await openPoliteness(config, data.store, clock)
    const environment = { clock, random: seededRandom(this.name.length), logger: silentLogger }
    const territory = leasedTerritory(this.keeper, spacingMs)
    const { limits } = hostMemory
    const options = { shared: 'none', territory, hostMemory, limits } as const
    const crawler = crawlerFor(config, data, fetcher, environment, options)
    const leasing = new AbortController()
    const keeping = this.keeper.run(leasing.signal)
    await crawler.run(this.#end.signal)
    await hostMemory.save()
    leasing.abort()
    await keeping
  }

  async #untilAlive(): Promise<void> {
    const { clock } = this.#ground
    for (let ms = this.#stallMs; ms > 0; ms = this.#stallMs) await clock.sleep(ms)
    if (this.#isKilled) await new Promise(() => {})
  }

  get #stallMs(): DurationMs {
    return this.#stalledUntil - this.#ground.clock.monotonicMs()
  }

  #reached<Target extends LeaseStore | Store>(target: Target): Target {
    return new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return async (...args: unknown[]) => {
          await this.#untilAlive()
          const { clock } = this.#ground
          const cutMs = this.#cutUntil - clock.monotonicMs()
          if (cutMs > 0 && (target === this.#ground.leases || name === 'recordRefresh')) await clock.sleep(cutMs)
          try {
            return await member.apply(target, args)
          } catch (error) {
            this.refused.push((error as { code: string }).code)
            throw error
          } finally {
            await this.#untilAlive()
          }
        }
      },
    })
  }
}
