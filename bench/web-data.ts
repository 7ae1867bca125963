import { join } from 'node:path'
import { DATABASE_FILE } from '../src/app/data/data.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { seededRandom } from '../src/runtime/random.ts'
import { openSqliteStore } from '../src/store/sqlite/index.ts'
import { wordMaker } from './store-items.ts'

const PAUSED_EVERY = 50

/** A data folder with sources of many names and categories. */
export async function fillData(folder: string, sources: number): Promise<void> {
  const { store } = await openSqliteStore({ path: join(folder, DATABASE_FILE), clock: systemClock })
  const word = wordMaker(seededRandom(3))
  const settings = Array.from({ length: sources }, (_, index) => ({
    url: `https://site-${index}.example.org/feed.xml`,
    name: `${word()} ${word()} ${word()}`,
    categories: [`${word()}/${word()}`],
    weight: 1 + (index % 7),
    intervalMs: null,
    headers: {},
    basicAuth: null,
    userAgent: null,
    proxyUrl: null,
    paused: index % PAUSED_EVERY === 0,
  }))
  await store.addSources(settings, systemClock.now())
  await store.close()
}
