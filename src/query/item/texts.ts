import { stripMarkup } from '../../store/text/markup.ts'
import type { QueryField, TextField, ValueField } from '../language/ast.ts'
import type { Arrival } from './arrival.ts'
import { sourceCategories } from './atoms.ts'

/** One bit for each part of an item that holds words; ITEM is several of them. */
export const MASKS: Readonly<Record<Exclude<QueryField, 'PUBLISHED' | 'LANGUAGE'>, number>> = {
  TITLE: 1,
  DESCRIPTION: 2,
  CONTENT: 4,
  CATEGORY: 8,
  AUTHOR: 16,
  ITEM: 1 | 2 | 4 | 8 | 16,
  LINK: 32,
  SOURCE: 64,
  ENCLOSURE: 0,
  'SOURCE CATEGORY': 128,
}
/** For what is either there or not. */
export const PRESENT = 256
export const MASK_BITS = 9
const ALL_FIELDS = PRESENT - 1

export interface FieldText {
  readonly mask: number
  readonly text: string
}

/**
 * The texts of an item without markup, each once; of all fields, or only of those wanted. ITEM is what the archive's
 * full-text search looks at (store/text). CONTENT is the description where a feed gives no more, and
 * the article where its page was fetched.
 */
export function textsOf({ item, source }: Arrival, fields = ALL_FIELDS): FieldText[] {
  const texts: FieldText[] = []
  const add = (mask: number, text: string | null, markup: boolean): void => {
    if ((mask & fields) === 0 || text === null) return
    const plain = markup ? stripMarkup(text) : text
    if (plain !== '') texts.push({ mask, text: plain })
  }
  const { summary, content } = item
  add(MASKS.TITLE, item.title, true)
  const both = content === null || content === summary
  add(both ? MASKS.DESCRIPTION | MASKS.CONTENT : MASKS.DESCRIPTION, summary, true)
  if (!both) add(MASKS.CONTENT, content, true)
  add(MASKS.CONTENT, item.article ?? null, true)
  for (const { name } of item.authors) add(MASKS.AUTHOR, name, false)
  for (const category of item.categories) add(MASKS.CATEGORY, category, false)
  add(MASKS.LINK, item.link, false)
  add(MASKS.SOURCE, source.name, false)
  add(MASKS.SOURCE, source.title, false)
  add(MASKS.SOURCE, source.url, false)
  if ((fields & MASKS['SOURCE CATEGORY']) !== 0) {
    for (const category of sourceCategories(source)) add(MASKS['SOURCE CATEGORY'], category, false)
  }
  return texts
}

/** What MATCHES looks at. */
export function patternTexts(arrival: Arrival, texts: readonly FieldText[], field: TextField | ValueField): string[] {
  if (field === 'ENCLOSURE')
    return arrival.item.enclosures.flatMap(({ url, type }) => (type === null ? [url] : [url, type]))
  return field === 'LANGUAGE' ? [] : inField(texts, field).map(({ text }) => text)
}

export function inField(
  texts: readonly FieldText[],
  field: Exclude<QueryField, 'PUBLISHED' | 'LANGUAGE'>,
): FieldText[] {
  return texts.filter(({ mask }) => (mask & MASKS[field]) !== 0)
}
