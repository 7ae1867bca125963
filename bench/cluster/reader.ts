import type { ItemSeq } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { PostgresStore } from '../../src/store/postgres/index.ts'

const READER = 'bench'
const LOOK_EVERY_MS = 100

/** Somebody who follows the log as matchers do: what was not there when it passed by, it never sees. */
export class LogReader {
  readonly seen = new Set<ItemSeq>()
  readonly #buffer: PostgresStore['buffer']
  readonly #end = new AbortController()
  #work: Promise<void> = Promise.resolve()

  constructor({ buffer }: Pick<PostgresStore, 'buffer'>) {
    this.#buffer = buffer
  }

  async begin(): Promise<void> {
    await this.#buffer.register(READER, { from: 'start', owner: 'bench', expiresAfterMs: null })
    this.#work = this.#follow()
  }

  async stop(): Promise<void> {
    this.#end.abort()
    await this.#work
  }

  async #follow(): Promise<void> {
    while (!this.#end.signal.aborted) {
      // A database that is away is asked again.
      const count = await this.#readOn().catch(() => 0)
      if (count === 0) await systemClock.sleep(LOOK_EVERY_MS, this.#end.signal)
    }
  }

  async #readOn(): Promise<number> {
    const entries = await this.#buffer.read(READER, 1_000, { parts: 'labels' })
    const newest = entries.at(-1)
    if (newest === undefined) return 0
    for (const { item } of entries) this.seen.add(item.seq)
    await this.#buffer.acknowledge(READER, newest.cursor)
    return entries.length
  }
}
