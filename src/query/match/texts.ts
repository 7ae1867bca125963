import { stripMarkup } from '../../store/text/markup.ts'
import type { Field, TextField, ValueField } from '../language/ast.ts'
import type { Arrival } from './arrival.ts'

/** One bit for each part of an item that holds words; ITEM is several of them. */
export const MASKS: Readonly<Record<Exclude<Field, 'PUBLISHED' | 'LANGUAGE'>, number>> = {
  TITLE: 1,
  DESCRIPTION: 2,
  CONTENT: 4,
  CATEGORY: 8,
  AUTHOR: 16,
  ITEM: 1 | 2 | 4 | 8 | 16,
  LINK: 32,
  SOURCE: 64,
  ENCLOSURE: 0,
}
/** For what is either there or not. */
export const PRESENT = 128
export const MASK_BITS = 8

export interface FieldText {
  readonly mask: number
  readonly text: string
}

/**
 * All texts of an item without markup, each once. ITEM is what the archive's full-text search looks at (store/text).
 * CONTENT is the description where a feed gives no more.
 */
export function textsOf({ item, source }: Arrival): FieldText[] {
  const texts: FieldText[] = []
  const add = (mask: number, text: string | null): void => {
    if (text !== null && text !== '') texts.push({ mask, text })
  }
  const { summary, content } = item
  add(MASKS.TITLE, item.title && stripMarkup(item.title))
  const both = content === null || content === summary
  add(both ? MASKS.DESCRIPTION | MASKS.CONTENT : MASKS.DESCRIPTION, summary && stripMarkup(summary))
  if (!both) add(MASKS.CONTENT, content && stripMarkup(content))
  for (const { name } of item.authors) add(MASKS.AUTHOR, name)
  for (const category of item.categories) add(MASKS.CATEGORY, category)
  add(MASKS.LINK, item.link)
  add(MASKS.SOURCE, source.name)
  add(MASKS.SOURCE, source.title)
  add(MASKS.SOURCE, source.url)
  return texts
}

/** What MATCHES looks at. */
export function patternTexts(arrival: Arrival, texts: readonly FieldText[], field: TextField | ValueField): string[] {
  if (field === 'ENCLOSURE')
    return arrival.item.enclosures.flatMap(({ url, type }) => (type === null ? [url] : [url, type]))
  return field === 'LANGUAGE' ? [] : inField(texts, field).map(({ text }) => text)
}

export function inField(texts: readonly FieldText[], field: Exclude<Field, 'PUBLISHED' | 'LANGUAGE'>): FieldText[] {
  return texts.filter(({ mask }) => (mask & MASKS[field]) !== 0)
}
