import { BLANK_ITEM, type InstantMs, type ParsedItem } from '../../model/index.ts'
import { joinCategory } from '../category-path.ts'
import { arrayOf, type ExportedItem, type JsonObject, objectOf, wordsOf } from './exported-item.ts'

/**
 * An article in the form of Google Reader's streams, which FreshRSS, Inoreader and Feedly export as well. FreshRSS adds the
 * guid and the address of the feed; Feedly says `originId` for the guid, `unread`, and has moments in milliseconds. null: it
 * names no feed.
 */
export function readGreaderItem(value: unknown): ExportedItem | null {
  const entry = objectOf(value)
  const origin = objectOf(entry['origin'])
  const feedUrl = wordsOf(origin['feedUrl']) ?? streamAddress(origin['streamId'])
  if (feedUrl === null) return null
  const states = new Set([...namesOf(entry['categories']), ...namesOf(entry['tags'])].map(lastSteps))
  return {
    feedUrl,
    feedTitle: wordsOf(origin['title']),
    siteUrl: wordsOf(origin['htmlUrl']),
    folders: arrayOf(entry['categories']).flatMap(feedlyFolder),
    item: itemOf(entry),
    isRead: states.has('state/com.google/read') || states.has('tag/global.read') || entry['unread'] === false,
    isStarred: states.has('state/com.google/starred') || states.has('tag/global.saved'),
  }
}

function itemOf(entry: JsonObject): ParsedItem {
  const author = wordsOf(entry['author'])
  return {
    ...BLANK_ITEM,
    id: wordsOf(entry['guid']) ?? wordsOf(entry['originId']),
    title: wordsOf(entry['title']),
    link: firstLink(entry['canonical']) ?? firstLink(entry['alternate']) ?? wordsOf(entry['canonicalUrl']),
    published: momentOf(entry['published']),
    authors: author === null ? [] : [{ name: author, email: null, url: null }],
    summary: wordsOf(objectOf(entry['summary'])['content']),
    content: wordsOf(objectOf(entry['content'])['content']),
  }
}

/** `feed/https://example.org/rss`; streams that go by a number name no feed that could be followed. */
function streamAddress(value: unknown): string | null {
  const address = wordsOf(value)?.replace(/^feed\//, '') ?? ''
  return /^https?:\/\//i.test(address) ? address : null
}

/** Names of states, as texts or, at Feedly, as objects with an id. */
function namesOf(value: unknown): readonly string[] {
  return arrayOf(value).flatMap((one) => wordsOf(one) ?? wordsOf(objectOf(one)['id']) ?? [])
}

/** `user/1005/state/com.google/read` and `user/-/state/com.google/read` are one. */
function lastSteps(name: string): string {
  return name
    .split('/')
    .slice(-3)
    .join('/')
    .replace(/^[^/]*\/(?=tag\/|state\/)/, '')
    .replace(/^.*\/(?=tag\/global\.)/, '')
}

/** Feedly's categories are folders. Labels of Google's form may be folders or tags: the list of feeds knows which. */
function feedlyFolder(value: unknown): readonly string[] {
  const { id, label } = objectOf(value)
  const name = wordsOf(label)
  if (name === null || !/\/category\/(?!global\.)/.test(wordsOf(id) ?? '')) return []
  return [joinCategory([name])]
}

function firstLink(value: unknown): string | null {
  for (const one of arrayOf(value)) {
    const address = wordsOf(objectOf(one)['href'])
    if (address !== null) return address
  }
  return null
}

/** Seconds below this: the year 5138; in milliseconds it is 1973, before there were feeds. */
const FIRST_IN_MS = 1e11

function momentOf(value: unknown): InstantMs | null {
  const number = Number(value)
  if (value == null || !Number.isFinite(number) || number <= 0) return null
  return Math.round(number < FIRST_IN_MS ? number * 1000 : number)
}
