import type { Fetcher } from '../../crawler/fetch/fetcher.ts'
import type { InstantMs } from '../../model/index.ts'
import { ERRORS, HeadwaterError } from '../../runtime/errors.ts'
import { type CompiledRule, type Meaning, meaningOf } from '../../sources/meant/index.ts'
import { feedPlaces, type Place, type PlaceGroup } from './feed-places.ts'
import { contentOf, FeedRequests, type ReadFeed, readContent } from './feed-requests.ts'
import type { NewSource } from './import-sources.ts'

export interface SourcePreview {
  readonly url: string
  readonly title: string | null
  readonly format: string
  readonly siteUrl: string | null
  readonly description: string | null
  /** The rule that led to it, in words; null: the address itself, its page or a usual place did. */
  readonly rule: string | null
  readonly itemCount: number
  /** The first of the document. */
  readonly items: {
    readonly title: string | null
    readonly link: string | null
    readonly published: InstantMs | null
  }[]
}

export interface FoundFeed {
  readonly url: string
  readonly title: string | null
}

export interface FoundFeeds extends FoundFeed {
  readonly rule: string | null
  /** What there is besides, likeliest first. */
  readonly others: readonly FoundFeed[]
}

/** Which of several feeds is wanted; null: the first that can be read. */
export type PickFeed = (offered: readonly FoundFeed[]) => Promise<FoundFeed | null>

export interface SearchOptions {
  readonly pick?: PickFeed
  /** People's own, which are tried before ours. */
  readonly rules?: readonly CompiledRule[]
}

/**
 * The feed behind what a person pasted (feed-places.ts says where it is looked for). Each candidate is fetched, so that what
 * is added is known to work.
 */
export async function findFeed(
  pasted: string,
  settings: NewSource,
  fetcher: Fetcher,
  { pick = async () => null, rules = [] }: SearchOptions = {},
): Promise<FoundFeeds> {
  return search(pasted, settings, fetcher, rules, async (group, requests) => {
    const picked = group.choice.length > 1 ? await pick(group.choice) : null
    if (picked !== null) return readPicked(picked, group, requests)
    const found = await firstFeed(group.places, requests)
    if (found === null) return null
    const others = group.choice.filter(({ url }) => url !== found.place.url)
    return { url: found.url, title: found.parsed.feed.title, rule: found.place.rule, others }
  })
}

/** Like `findFeed`, but all the feeds that are found, with what they show; nothing is stored. */
export async function previewFeeds(
  pasted: string,
  settings: NewSource,
  fetcher: Fetcher,
  { rules = [] }: Pick<SearchOptions, 'rules'> = {},
): Promise<readonly SourcePreview[]> {
  return search(pasted, settings, fetcher, rules, async ({ places, isGuess }, requests) => {
    const found = isGuess ? [await firstFeed(places, requests)] : await allFeeds(places, requests)
    const previews = found.flatMap((feed) => (feed === null ? [] : [previewOf(feed)]))
    return previews.length > 0 ? previews : null
  })
}

type Found = ReadFeed & { readonly place: Place }

/** Group by group, until one has what is looked for. */
async function search<Result>(
  pasted: string,
  settings: NewSource,
  fetcher: Fetcher,
  rules: readonly CompiledRule[],
  take: (group: PlaceGroup, requests: FeedRequests) => Promise<Result | null>,
): Promise<Result> {
  const meaning = meaningOf(pasted, rules)
  const requests = new FeedRequests(settings, fetcher, meaning.url)
  try {
    const groups = feedPlaces(meaning, requests, rules)
    for (;;) {
      const { value, done } = await groups.next()
      if (done) throw new HeadwaterError('SOURCE_NO_FEED_FOUND', value.finalUrl)
      const result = await take(value, requests)
      if (result !== null) return result
    }
  } catch (error) {
    throw withRule(error, meaning)
  }
}

/** Says what the rule made of the address, as that is what a person can put right. */
function withRule(error: unknown, { rule, candidates, url }: Meaning): unknown {
  const [first] = candidates
  if (!(error instanceof HeadwaterError) || rule === null) return error
  const tried = first === undefined ? '' : `, whose feed is not at ${first.url}`
  const { summary } = ERRORS[error.code]
  const detail = error.message === summary ? url : error.message.replace(`${summary}: `, '')
  return new HeadwaterError(error.code, `${detail}; read as ${rule}${tried}`, { cause: error })
}

async function readPicked(picked: FoundFeed, { places }: PlaceGroup, requests: FeedRequests): Promise<FoundFeeds> {
  const { url } = picked
  const found = readContent(url, contentOf(url, await requests.fetch(url)))
  if (found === null) throw new HeadwaterError('PARSE_NOT_A_FEED', url)
  const rule = places.find((place) => place.url === url)?.rule ?? null
  return { url: found.url, title: found.parsed.feed.title, rule, others: [] }
}

/** The first that shows something; else the first that is a feed: a repository without releases has an empty feed of them. */
async function firstFeed(places: readonly Place[], requests: FeedRequests): Promise<Found | null> {
  let empty: Found | null = null
  for (const place of places) {
    const read = await requests.read(place.url)
    if (read === null) continue
    if (read.parsed.items.length > 0) return { ...read, place }
    empty ??= { ...read, place }
  }
  return empty
}

async function allFeeds(places: readonly Place[], requests: FeedRequests): Promise<readonly Found[]> {
  const found = await Promise.all(
    places.map(async (place) => {
      const read = await requests.read(place.url)
      return read === null ? [] : [{ ...read, place }]
    }),
  )
  const seen = new Set<string>()
  return found.flat().filter(({ url }) => !seen.has(url) && seen.add(url))
}

const PREVIEWED_ITEMS = 5

function previewOf({ url, place, parsed: { format, feed, items } }: Found): SourcePreview {
  return {
    url,
    title: feed.title,
    format,
    siteUrl: feed.link,
    description: feed.description,
    rule: place.rule,
    itemCount: items.length,
    items: items.slice(0, PREVIEWED_ITEMS).map(({ title, link, published }) => ({ title, link, published })),
  }
}
