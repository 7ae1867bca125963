import type { ParsedItem } from '../../model/index.ts'

/**
 * An item whose texts are no longer than allowed may still have a title, categories or values of modules that are, and lists
 * of items hold all of these. Too long ones are cut, of lists the first are left. An address is whole or it is none.
 */
export function cutLabels(item: ParsedItem, maxChars: number): ParsedItem {
  if (labelChars(item) <= maxChars) return item
  const share = Math.floor(maxChars / SHARES)
  const { id, title, link, authors, categories, enclosures, extensions } = item
  return {
    ...item,
    id: cut(id, share),
    title: cut(title, share),
    link: whole(link, share),
    commentsUrl: whole(item.commentsUrl, share),
    image: whole(item.image, share),
    language: whole(item.language, share),
    authors: firstWithin(authors, share, personChars),
    categories: firstWithin(categories, share, ({ length }) => length),
    enclosures: firstWithin(enclosures, share, enclosureChars),
    extensions:
      extensions === null ? null : Object.fromEntries(firstWithin(Object.entries(extensions), share, pairChars)),
  }
}

/** The parts above. */
const SHARES = 10

function labelChars(item: ParsedItem): number {
  let chars = lengthOf(item.id) + lengthOf(item.title) + lengthOf(item.link)
  chars += lengthOf(item.commentsUrl) + lengthOf(item.image) + lengthOf(item.language)
  for (const author of item.authors) chars += personChars(author)
  for (const category of item.categories) chars += category.length
  for (const enclosure of item.enclosures) chars += enclosureChars(enclosure)
  for (const key in item.extensions) chars += key.length + lengthOf(item.extensions[key])
  return chars
}

function lengthOf(text: string | null | undefined): number {
  return text?.length ?? 0
}

function personChars({ name, email, url }: ParsedItem['authors'][number]): number {
  return lengthOf(name) + lengthOf(email) + lengthOf(url)
}

function enclosureChars({ url, type }: ParsedItem['enclosures'][number]): number {
  return url.length + lengthOf(type)
}

function pairChars([key, value]: readonly [string, string]): number {
  return key.length + value.length
}

function cut(text: string | null, maxChars: number): string | null {
  return text === null || text.length <= maxChars ? text : text.slice(0, maxChars)
}

function whole(text: string | null, maxChars: number): string | null {
  return text === null || text.length <= maxChars ? text : null
}

function firstWithin<T>(all: readonly T[], maxChars: number, charsOf: (one: T) => number): T[] {
  let chars = 0
  const end = all.findIndex((one) => {
    chars += charsOf(one)
    return chars > maxChars
  })
  return end < 0 ? [...all] : all.slice(0, end)
}
