import { parseUrl } from '../../runtime/parse-url.ts'
import { fillTemplate } from './pattern.ts'
import type { Ask } from './rule.ts'

const LONGEST_ANSWER = 4_000_000
const MOST_FOUND = 4
/** Characters that numbers and names of sites consist of. */
const WORD = /[\w@-]*/y

/** Addresses that the answer names, likeliest first: of a feed, or of the page that has one. */
export function readAnswer(ask: Ask, text: string): readonly string[] {
  const document = text.slice(0, LONGEST_ANSWER)
  if (ask.kind === 'mark') return behindMark(ask, document)
  const found = ask.kind === 'webfinger' ? profilesIn(document) : [valueAt(ask.path, parsed(document))]
  return [...new Set(found.flatMap(webAddress))].slice(0, MOST_FOUND)
}

function behindMark({ after, give, url }: Extract<Ask, { kind: 'mark' }>, document: string): readonly string[] {
  for (const mark of after) {
    const at = document.indexOf(mark)
    if (at < 0) continue
    WORD.lastIndex = at + mark.length
    const [found = ''] = WORD.exec(document) ?? []
    if (found === '') continue
    return give.flatMap((template) => fillTemplate(template, new Map([['found', found]]), new URL(url).origin) ?? [])
  }
  return []
}

const FEED_LINKS = ['http://schemas.google.com/g/2010#updates-from', 'alternate', 'feed']
const PAGE_LINKS = ['http://webfinger.net/rel/profile-page', 'self']

/** RFC 7033 §4.4: links with a relation, a type and an address. Feeds come before pages. */
function profilesIn(document: string): readonly unknown[] {
  const links = valueAt(['links'], parsed(document))
  if (!Array.isArray(links)) return []
  const one = (rels: readonly string[], type: RegExp) =>
    rels.flatMap((rel) =>
      links
        .slice(0, 50)
        .filter((link) => valueAt(['rel'], link) === rel && type.test(String(valueAt(['type'], link) ?? '')))
        .map((link) => valueAt(['href'], link)),
    )
  return [...one(FEED_LINKS, /atom|rss|feed\+json/i), ...one(PAGE_LINKS, /^(?:text\/html)?$/i)]
}

function parsed(document: string): unknown {
  try {
    return JSON.parse(document)
  } catch {
    return undefined
  }
}

function valueAt(path: readonly (string | number)[], value: unknown): unknown {
  let here = value
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined
    here = Reflect.get(here, step)
  }
  return here
}

function webAddress(value: unknown): readonly string[] {
  const url = typeof value === 'string' && value.length <= 4_000 ? parseUrl(value) : null
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? [url.href] : []
}
