import type { Browser } from 'playwright-core'
import { CHROMIUM, launch } from '../chromium.ts'
import type { AttackEffort } from './attack.ts'
import { type GuardedPage, notInert, openGuardedPage, readAll, takeIncidents } from './hostile/watch.ts'
import type { AttackedNode } from './stage.ts'

export interface SeenInBrowser {
  readonly figures: Readonly<Record<string, number>>
  readonly skipped: readonly string[]
}

/** Every page of the dashboard that shows what feeds write, and the list of feeds, which the node writes itself. */
const PAGES = [
  ...['/', '/sources', '/sources/1', '/sources/2', '/queries', '/queries/evil', '/read', '/read?text=herring'],
  ...['/read?feed=evil', '/subscriptions', '/settings', '/lab', '/welcome', '/feeds'],
]
/** Documents that a browser may be led to show by themselves. */
const DOCUMENTS = ['/feeds/evil.rss', '/feeds/evil.atom', '/feeds/evil.json', '/feeds/source/1.rss', '/feeds.opml']
/** test/browser/hostile reads every item. */
const LOOKS = {
  short: { pages: ['/', '/read', '/feeds'], documents: ['/feeds/evil.rss'], mostItems: 20 },
  full: { pages: PAGES, documents: DOCUMENTS, mostItems: 600 },
} as const
/** In which a page has got what it requested. */
const SETTLED_MS = 400

/** A real browser looks at everything, and notes whatever runs, loads, leaves or covers the page. */
export async function lookInBrowser(
  node: AttackedNode,
  { category, effort }: { readonly category: string; readonly effort: AttackEffort },
  hits: string[],
): Promise<SeenInBrowser> {
  const browser = await opened()
  if (typeof browser === 'string') return { figures: {}, skipped: [browser] }
  try {
    const guarded = await openGuardedPage(browser, node.url)
    const [name = '', value = ''] = node.owner.cookie.split(/=(.*)/s)
    await guarded.context.addCookies([{ name, value, url: node.url }])
    const { pages, documents, mostItems } = LOOKS[effort]
    await lookAtPages(guarded, node.url, pages, hits)
    const itemsSeen = await readItems(
      guarded,
      `${node.url}/read?category=${encodeURIComponent(category)}`,
      mostItems,
      hits,
    )
    await lookAtDocuments(guarded, node.url, documents, hits)
    return { figures: { pagesSeen: pages.length + documents.length, itemsSeen }, skipped: [] }
  } finally {
    await browser.close()
  }
}

/** Or why there is none. */
async function opened(): Promise<Browser | string> {
  if (CHROMIUM === null) return 'a browser: there is no Chromium; install it, or name its program in CHROMIUM'
  try {
    return await launch()
  } catch (error) {
    return `a browser: Chromium cannot be driven here (${error instanceof Error ? error.message.split('\n')[0] : error})`
  }
}

async function lookAtPages(guarded: GuardedPage, url: string, paths: readonly string[], hits: string[]): Promise<void> {
  const { page } = guarded
  for (const path of paths) {
    await page.goto(`${url}${path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForTimeout(SETTLED_MS)
    for (const found of [...(await notInert(page)), ...takeIncidents(guarded)])
      hits.push(`${path} in a browser: ${found}`)
  }
}

async function readItems(guarded: GuardedPage, address: string, most: number, hits: string[]): Promise<number> {
  const { page } = guarded
  await page.goto(address)
  await page.locator('.items button.item').first().waitFor()
  const { count, wrong } = await readAll(page, most)
  if (count === 0) throw new Error('the reader shows no item')
  for (const [seq, found] of Object.entries(wrong)) hits.push(`item ${seq} in a browser: ${found.join(', ')}`)
  for (const found of takeIncidents(guarded)) hits.push(`the reader: ${found}`)
  return count
}

/** A feed is a download or plain text to a browser: nothing of it may run, whichever type it guesses. */
async function lookAtDocuments(
  guarded: GuardedPage,
  url: string,
  paths: readonly string[],
  hits: string[],
): Promise<void> {
  for (const path of paths) {
    await guarded.page.goto(`${url}${path}`).catch(() => {})
    await guarded.page.waitForTimeout(SETTLED_MS)
    const found = takeIncidents(guarded).filter((line) => !line.startsWith('a file was loaded down'))
    for (const line of found) hits.push(`${path} in a browser: ${line}`)
  }
}
