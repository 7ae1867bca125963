import { escapeXml, rssDate } from '../lab/worlds/formats/document.ts'
import { keyedRandom } from '../lab/worlds/keyed-random.ts'
import { articleHtml, headline } from '../lab/worlds/text.ts'
import { type DurationMs, HOUR_MS } from '../src/model/index.ts'

/** What the sites of the bench publish, and how long they take to answer: all of it follows from these numbers. */
export interface TerminalsWorld {
  readonly seed: number
  readonly feeds: number
  readonly windowItems: number
  /** Feeds with news in a round. */
  readonly changedShare: number
  /** Feeds without, whose document is another one all the same. */
  readonly touchedShare: number
  /** New items under the title of the one before, as "Weather today". */
  readonly sameTitleShare: number
  readonly latencyMedianMs: DurationMs
}

/** Of the natural logarithm: the slowest of a hundred sites takes six times as long as the middle one. */
export const LATENCY_SIGMA = 0.8
const FIRST_ITEM_AT = Date.UTC(2026, 0, 1)

const NEWS = 1
const TOUCH = 2
const LATENCY = 3
const TEXT = 4
const TITLE = 5

/** New items of a feed in a round; before the first round its window is full. */
function newsOf({ seed, changedShare }: TerminalsWorld, feed: number, round: number): number {
  const random = keyedRandom(seed, feed, round, NEWS)
  return random() < changedShare ? 1 + Math.floor(2 * random()) : 0
}

function isTouched({ seed, touchedShare }: TerminalsWorld, feed: number, round: number): boolean {
  return keyedRandom(seed, feed, round, TOUCH)() < touchedShare
}

/** How many items a feed has published by a round; they are numbered from 0. */
export function itemCountBy(world: TerminalsWorld, feed: number, round: number): number {
  let count = world.windowItems
  for (let at = 1; at <= round; at++) count += newsOf(world, feed, at)
  return count
}

export function guidOf(feed: number, number: number): string {
  return `urn:terminals:${feed}:${number}`
}

function itemTitle(world: TerminalsWorld, feed: number, number: number): string {
  const random = keyedRandom(world.seed, feed, number, TITLE)
  if (number > 0 && random() < world.sameTitleShare) return itemTitle(world, feed, number - 1)
  return `${headline('en', random)} (${number})`
}

/** RSS 2.0, newest first. */
export function feedDocument(world: TerminalsWorld, feed: number, round: number): string {
  const count = itemCountBy(world, feed, round)
  let xml = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Feed ${feed}</title>
<link>${siteUrl(feed)}</link><lastBuildDate>${rssDate(FIRST_ITEM_AT + HOUR_MS * builtIn(world, feed, round))}</lastBuildDate>\n`
  for (let number = count - 1; number >= count - world.windowItems; number--) xml += itemXml(world, feed, number)
  return `${xml}</channel></rss>\n`
}

/** The last round that made another document of it. */
function builtIn(world: TerminalsWorld, feed: number, round: number): number {
  for (let at = round; at > 0; at--) if (newsOf(world, feed, at) > 0 || isTouched(world, feed, at)) return at
  return 0
}

function itemXml(world: TerminalsWorld, feed: number, number: number): string {
  const html = articleHtml('en', siteUrl(feed), keyedRandom(world.seed, feed, number, TEXT))
  const date = rssDate(FIRST_ITEM_AT + HOUR_MS * number)
  return `<item><title>${escapeXml(itemTitle(world, feed, number))}</title><link>${siteUrl(feed)}${number}</link><guid isPermaLink="false">${guidOf(feed, number)}</guid><pubDate>${date}</pubDate><content:encoded><![CDATA[${html}]]></content:encoded></item>\n`
}

function siteUrl(feed: number): string {
  return `http://feed-${feed}.example/`
}

/**
 * Until the first byte of the answer; log-normal, the same for everybody who asks in a round. Before the first round nothing
 * is measured, and nobody waits.
 */
export function latencyOf({ seed, latencyMedianMs }: TerminalsWorld, feed: number, round: number): DurationMs {
  if (round === 0) return 0
  const random = keyedRandom(seed, feed, round, LATENCY)
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return latencyMedianMs * Math.exp(LATENCY_SIGMA * normal)
}
