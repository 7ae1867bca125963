import type { FaultSpec } from './faults/fault.ts'
import { escapeXml } from './formats/document.ts'
import { type ItemContext, type WorldItem, worldItem } from './items.ts'
import { hashWord, keyedRandom, pick } from './keyed-random.ts'

/** Stands on every page of a world with articles, and in none of its feeds. */
export const PAGE_WORD = 'marginalia'

const TEASER_CHARS = 90
const PAGE_FAULT = 5

/** What goes wrong with feeds goes wrong with pages. Each is as frequent as the others. */
const PAGE_FAULTS: readonly FaultSpec[] = [
  { name: '404' },
  { name: '410' },
  { name: '403' },
  { name: '500' },
  { name: 'flapping', failures: 1, of: 2 },
  { name: '503', retryAfterS: 60 },
  { name: '429-seconds', retryAfterS: 60 },
  { name: 'slow-headers', delayMs: 8_000 },
  { name: 'hang', delayMs: 60_000 },
  { name: '301' },
  { name: '302' },
  { name: 'redirect-loop' },
  { name: 'redirect-private' },
  { name: 'truncated' },
  { name: 'reset' },
  { name: 'empty' },
  { name: 'pdf' },
]

/** null: the page of this item answers well. */
export function pageFault(key: string, { seed, feedIndex }: ItemContext, share: number): FaultSpec | null {
  const random = keyedRandom(seed, feedIndex, hashWord(key), PAGE_FAULT)
  return random() < share ? pick(PAGE_FAULTS, random) : null
}

/** An item as feeds with teasers show it. */
export function teaserOf(item: WorldItem): WorldItem {
  const text = item.html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return { ...item, html: `<p>${text.slice(0, TEASER_CHARS).replace(/&\w*$/, '')}…</p>` }
}

/** The page of an item, with what pages have around their articles. */
export function articlePage(context: ItemContext, key: string): string {
  const { plan, feedIndex } = context
  const { title, author, html } = worldItem({ key, at: 0 }, null, context)
  const byline = author === null ? '' : `<meta name="author" content="${escapeXml(author)}">`
  return `<!doctype html>
<html lang="${plan.habits.language}"><head><meta charset="utf-8"><title>${escapeXml(title)}</title>${byline}</head><body>
<nav><a href="/">${escapeXml(plan.title)}</a> <a href="/about">About</a></nav>
<main><article><h1>${escapeXml(title)}</h1>${html}<p>${PAGE_WORD} ${feedIndex} ${key}</p></article></main>
<footer><a href="/imprint">Imprint</a></footer></body></html>
`
}
