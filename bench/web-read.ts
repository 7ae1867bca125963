import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { DATABASE_FILE } from '../src/app/data/data.ts'
import { withSourceDefaults } from '../src/app/sources/import-sources.ts'
import { entryAt } from '../src/model/entry-at.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { seededRandom } from '../src/runtime/random.ts'
import { openSqliteStore } from '../src/store/sqlite/index.ts'
import { median, roundToPrecision } from './rounds.ts'
import { itemMaker } from './store-items.ts'
import { type BenchNode, startNodeOn } from './web-node.ts'

const ITEMS = 50_000
const IN_ONE_REFRESH = 500
const EMPTY_PORT = 18_474
const FULL_PORT = 18_475
const KEYS = 100
/** A key that is held down comes 30 times a second. */
const HELD_EVERY_MS = 33

type OpenPage = (browser: Browser, node: BenchNode) => Promise<Page>

/** Read with 50,000 items beside the same page with none, opened by turns; and how soon a key is seen in the full one. */
export async function measureRead(folder: string, browser: Browser, openPage: OpenPage, rounds: number) {
  await fillItems(join(folder, 'empty'), 0)
  await fillItems(join(folder, 'full'), ITEMS)
  const empty = await startNodeOn(join(folder, 'empty'), EMPTY_PORT)
  const full = await startNodeOn(join(folder, 'full'), FULL_PORT)
  try {
    const times = await openByTurns(empty, full, (node) => openPage(browser, node), rounds)
    const [emptyMs, fullMs] = [median(times.empty), median(times.full)]
    return {
      items: ITEMS,
      interactiveEmptyMs: roundToPrecision(emptyMs),
      interactiveMs: roundToPrecision(fullMs),
      timesEmpty: roundToPrecision(fullMs / emptyMs),
      inputToPaint: await measureKeys(await openPage(browser, full), full),
    }
  } finally {
    await empty.stop()
    await full.stop()
  }
}

async function openByTurns(
  empty: BenchNode,
  full: BenchNode,
  open: (node: BenchNode) => Promise<Page>,
  rounds: number,
): Promise<{ empty: number[]; full: number[] }> {
  const times: { empty: number[]; full: number[] } = { empty: [], full: [] }
  // One more than is counted: the first of each warms the node up.
  for (let i = 0; i <= rounds; i++) {
    const emptyMs = await interactiveMs(await open(empty), empty)
    const fullMs = await interactiveMs(await open(full), full)
    if (i > 0) times.empty.push(emptyMs)
    if (i > 0) times.full.push(fullMs)
  }
  return times
}

async function fillItems(folder: string, items: number): Promise<void> {
  const { store } = await openSqliteStore({ path: join(folder, DATABASE_FILE), clock: systemClock })
  const url = 'https://site.example.org/feed.xml'
  const settings = withSourceDefaults({ url, paused: true, categories: ['News'] })
  const [added] = await store.addSources([settings], systemClock.now())
  const { source } = added!
  const make = itemMaker(seededRandom(7))
  for (let from = 0; from < items; from += IN_ONE_REFRESH) {
    const newItems = Array.from({ length: IN_ONE_REFRESH }, (_, index) => make(source.id, from + index))
    const at = systemClock.now()
    await store.recordRefresh({
      sourceId: source.id,
      state: { ...source.state, status: 'active', title: 'A site', lastCheckAt: at, lastSuccessAt: at },
      ...{ movedTo: null, observation: null, renamedItems: [], intake: null, changedItems: [], newItems },
    })
  }
  await store.close()
}

/** From the start of the navigation until the list is drawn and nothing else waits to run. */
async function interactiveMs(page: Page, node: BenchNode): Promise<number> {
  await page.goto(`${node.url}/read`, { waitUntil: 'commit' })
  const ms = await page.evaluate<number>(INTERACTIVE)
  await page.context().close()
  return ms
}

// Given as text, because the types of a browser's document are not for this code.
const INTERACTIVE = `new Promise((resolve) => {
  const isDrawn = () => document.querySelector('.items button.item') ?? document.querySelector('.items .empty, .item-list .empty, main .empty')
  const look = () => isDrawn()
    ? requestAnimationFrame(() => requestIdleCallback(() => resolve(performance.now())))
    : requestAnimationFrame(look)
  look()
})`

const KEY_TIMES = `(() => {
  window.keyTimes = []
  addEventListener('keydown', ({ timeStamp }) =>
    requestAnimationFrame(() => setTimeout(() => window.keyTimes.push(performance.now() - timeStamp))), true)
})()`

/** From a key to the frame that shows what it did: of a key that is held down, and of keys that come as fast as the page takes them. */
async function measureKeys(page: Page, node: BenchNode): Promise<object> {
  await page.goto(`${node.url}/read`)
  await page.locator('.items button.item').first().waitFor()
  await page.evaluate(KEY_TIMES)
  const held = await pressKeys(page, HELD_EVERY_MS)
  const withoutPause = await pressKeys(page, 0)
  await page.context().close()
  return { ...held, withoutPause }
}

async function pressKeys(page: Page, everyMs: number): Promise<object> {
  const startMs = performance.now()
  for (let i = 0; i < KEYS; i++) {
    await setTimeout(Math.max(0, startMs + i * everyMs - performance.now()))
    await page.keyboard.press('j')
  }
  while ((await page.evaluate<number>('window.keyTimes.length')) < KEYS) await setTimeout(50)
  const sorted = (await page.evaluate<number[]>('window.keyTimes.splice(0)')).sort((a, b) => a - b)
  const at = (share: number) => roundToPrecision(entryAt(sorted, Math.floor((sorted.length - 1) * share)))
  return { keys: sorted.length, medianMs: at(0.5), p95Ms: at(0.95), maxMs: at(1) }
}
