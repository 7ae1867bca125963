import { entryAt } from '../src/model/entry-at.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { seededRandom } from '../src/runtime/random.ts'
import { openPostgresStore } from '../src/store/postgres/index.ts'
import type { NewItem } from '../src/store/store.ts'
import { itemMaker } from './store-items.ts'
import { addSources, ITEMS_PER_REFRESH, refreshRecord } from './store-records.ts'

/** What a writer is told; it answers each with how many items it has stored. */
export interface WriterTask {
  readonly seconds: number
  /** Items a second at most; null: as many as it can. */
  readonly perSecond: number | null
}

const SOURCES = 32
const DIFFERENT_ITEMS = 400

const [url, keyFile, name] = process.argv.slice(2)

/** Another process of the cluster, which stores items as crawlers do. */
async function work(address: string, key: string, writer: number): Promise<void> {
  const { store } = await openPostgresStore({ url: address, clock: systemClock, keyFile: key, connections: 4 })
  const sources = await addSources(store, SOURCES, () => [], `writer-${writer}.example.org`)
  const make = itemMaker(seededRandom(writer + 1))
  const texts = Array.from({ length: DIFFERENT_ITEMS }, (_, index) => make(writer, index))
  let count = 0
  const next = (): NewItem => {
    const key = `${writer.toString(16).padStart(4, '0')}${(++count).toString(16).padStart(28, '0')}`
    return { ...entryAt(texts, count % DIFFERENT_ITEMS), key }
  }
  const store1 = async (at: number) => {
    const source = entryAt(sources, at % SOURCES)
    const items = Array.from({ length: ITEMS_PER_REFRESH }, next)
    await store.recordRefresh(refreshRecord(source, items, systemClock.now() + at))
    return items.length
  }
  process.on('message', (task: WriterTask) => {
    void writeFor(task, store1).then((items) => process.send?.({ items }))
  })
  process.on('disconnect', () => void store.close().then(() => process.exit(0)))
  process.send?.({ items: 0 })
}

async function writeFor({ seconds, perSecond }: WriterTask, store1: (at: number) => Promise<number>): Promise<number> {
  const began = systemClock.monotonicMs()
  let at = 0
  let items = 0
  const worker = async () => {
    for (;;) {
      const elapsedMs = systemClock.monotonicMs() - began
      if (elapsedMs >= seconds * 1_000) return
      // Behind its plan it stores at once, before it a moment later.
      const dueMs = perSecond === null ? 0 : (at * ITEMS_PER_REFRESH * 1_000) / perSecond
      if (dueMs > elapsedMs) await systemClock.sleep(Math.min(dueMs - elapsedMs, 50))
      else {
        // Others add to the sum meanwhile.
        const stored = await store1(at++)
        items += stored
      }
    }
  }
  await Promise.all(Array.from({ length: SOURCES }, worker))
  return items
}

if (url !== undefined && keyFile !== undefined) await work(url, keyFile, Number(name))
