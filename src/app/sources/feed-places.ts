import type { ErrorCode } from '../../runtime/errors.ts'
import { commonFeedPaths, type DiscoveredFeed, readPageLinks } from '../../sources/discover.ts'
import { type CompiledRule, type Meaning, meaningOfAddress, readAnswer } from '../../sources/meant/index.ts'
import { decodeDocument } from '../../text/charset/charset.ts'
import { type Content, contentOf, type FeedRequests, readContent } from './feed-requests.ts'

/** Somewhere that a feed may be. */
export interface Place {
  readonly url: string
  readonly title: string | null
  /** The rule that names it; null: the page does, or it is a usual place. */
  readonly rule: string | null
}

/** Places of one kind, likeliest first. */
export interface PlaceGroup {
  readonly places: readonly Place[]
  /** Feeds of different things, of which a person may want one or the other; empty: there is nothing to choose. */
  readonly choice: readonly Place[]
  /** Most of them lead nowhere: one after the other, until one is a feed. */
  readonly isGuess: boolean
}

/** A site may announce a feed for each of its tags, and each is a request that waits for its turn. */
const MOST_ANNOUNCED = 5
const MOST_BY_RULE = 4
/** The usual places are guesses, and a site that has no feed gets a request for all of them. */
const MOST_GUESSES = 6

/**
 * Where the feed may be that somebody meant, group by group; who has found one asks no further. First what rules say, with
 * the one request that some of them need; then the page itself, what it announces, what a page that lists feeds announces;
 * at last the usual places. Throws why the page cannot be read.
 */
export async function* feedPlaces(
  meaning: Meaning,
  requests: FeedRequests,
  own: readonly CompiledRule[],
): AsyncGenerator<PlaceGroup, Content, void> {
  const byAnswers = await askedPlaces(meaning, requests, own)
  const byRule = [...byAnswers, ...meaning.candidates.map(ofRule)].slice(0, MOST_BY_RULE)
  if (byRule.length > 0) yield { ...group(byRule), choice: meaning.isChoice ? byRule : [] }

  const { url, content } = await fetchPage(meaning, requests)
  if (readContent(url, content) !== null) yield group([{ url, title: null, rule: null }])

  const links = readPageLinks(decodeDocument(content.body, content.contentType).text, content.finalUrl)
  const announced = announcedPlaces(content, links.feeds, pageRule(meaning))
  if (announced.length > 0) yield { ...group(announced.slice(0, MOST_ANNOUNCED)), choice: choiceOf(links.feeds) }

  const elsewhere = [content.finalUrl, links.canonicalUrl ?? url].filter((one) => one !== meaning.url)
  const meanings = [meaning, ...elsewhere.map((one) => meaningOfAddress(one, own))]
  const sure = meanings.slice(1).flatMap(({ candidates }) => candidates)
  if (sure.length > 0) yield { ...group(sure.map(ofRule).slice(0, MOST_BY_RULE)), isGuess: true }

  const listed = await listedPlaces(announced, content, requests)
  if (listed.length > 0) yield group(listed)

  const guesses = meanings.flatMap((one) => one.guesses).map(ofRule)
  const usual = commonFeedPaths(content.finalUrl).map((one) => ({ url: one, title: null, rule: null }))
  yield { ...group([...guesses.slice(0, MOST_BY_RULE), ...usual.slice(0, MOST_GUESSES)]), isGuess: true }
  return content
}

const group = (places: readonly Place[]): PlaceGroup => ({ places, choice: [], isGuess: false })
const ofRule = ({ url, rule }: { readonly url: string; readonly rule: string }): Place => ({ url, title: null, rule })

/** The rule says that the page will tell, and nothing else. */
function pageRule({ rule, ask, candidates }: Meaning): string | null {
  return ask === null && candidates.length === 0 ? rule : null
}

async function askedPlaces(
  { ask, rule }: Meaning,
  requests: FeedRequests,
  own: readonly CompiledRule[],
): Promise<readonly Place[]> {
  if (ask === null || rule === null) return []
  const fetched = await requests.fetch(ask.url)
  if (fetched?.kind !== 'content') return []
  const found = readAnswer(ask, decodeDocument(fetched.body, fetched.contentType).text)
  // An account leads to a page, whose feed a rule may know.
  const urls = found.flatMap((url) => [...meaningOfAddress(url, own).candidates.map((one) => one.url), url])
  return [...new Set(urls)].map((url) => ({ url, title: null, rule }))
}

/** No TLS at this host: many old sites have none. */
const NO_TLS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['FETCH_CONNECT', 'FETCH_TLS', 'FETCH_TIMEOUT_CONNECT'])

/** Who typed no scheme means https, and http where that cannot be reached. */
export async function fetchPage(
  { url, hasScheme }: Meaning,
  requests: FeedRequests,
): Promise<{ readonly url: string; readonly content: Content }> {
  const fetched = await requests.fetch(url)
  if (fetched?.kind === 'failed' && NO_TLS.has(fetched.code) && !hasScheme && requests.isOpen) {
    const plainUrl = url.replace(/^https:/, 'http:')
    const plain = await requests.fetch(plainUrl)
    if (plain?.kind === 'content') return { url: plainUrl, content: plain }
  }
  return { url, content: contentOf(url, fetched) }
}

/** What the site means as its feeds, or else all that look like one. */
function choiceOf(feeds: readonly DiscoveredFeed[]): readonly Place[] {
  const declared = feeds.filter(({ isDeclared }) => isDeclared)
  const offered = declared.length > 0 ? declared : feeds
  return offered.length > 1 ? offered.map(({ url, title }) => ({ url, title, rule: null })) : []
}

/** In the header of the answer, in the page's links, among its anchors. */
function announcedPlaces(content: Content, feeds: readonly DiscoveredFeed[], rule: string | null): readonly Place[] {
  const urls = new Set(feeds.map(({ url }) => url))
  const inHeader = (content.hints.feeds ?? [])
    .filter((url) => !urls.has(url))
    .map((url) => ({ url, title: null, rule }))
  return [...inHeader, ...feeds.map(({ url, title }) => ({ url, title, rule }))]
}

/** What looked like a feed may be a page that lists feeds: the first such page of this site is read, too. */
async function listedPlaces(
  announced: readonly Place[],
  { finalUrl }: Content,
  requests: FeedRequests,
): Promise<readonly Place[]> {
  const host = new URL(finalUrl).hostname
  for (const { url } of announced.slice(0, MOST_ANNOUNCED)) {
    const page = await requests.document(url)
    if (page === null || new URL(page.finalUrl).hostname !== host || page.finalUrl === finalUrl) continue
    const { feeds } = readPageLinks(decodeDocument(page.body, page.contentType).text, page.finalUrl)
    const known = new Set(announced.map((place) => place.url))
    return announcedPlaces(page, feeds, null)
      .filter((place) => !known.has(place.url))
      .slice(0, MOST_ANNOUNCED)
  }
  return []
}
