import type { ParsedItem } from '../../model/index.ts'
import { words } from './fold.ts'
import { stripMarkup } from './markup.ts'
import type { Term, TextQuery } from './query.ts'

/** The texts of an item that can be searched, HTML or plain. A phrase never reaches over two of them. */
export function searchableTexts(item: ParsedItem): string[] {
  const texts: string[] = []
  if (item.title !== null) texts.push(item.title)
  if (item.summary !== null) texts.push(item.summary)
  if (item.content !== null && item.content !== item.summary) texts.push(item.content)
  for (const author of item.authors) if (author.name !== null) texts.push(author.name)
  for (const category of item.categories) texts.push(category)
  return texts
}

export function matchesText(query: TextQuery, item: ParsedItem): boolean {
  const texts = searchableTexts(item).map((text) => ` ${words(stripMarkup(text)).join(' ')} `)
  const occurs = (term: Term) => {
    const wanted = ` ${term.words.join(' ')}${term.prefix ? '' : ' '}`
    return texts.some((text) => text.includes(wanted))
  }
  return query.all.every(occurs) && !query.none.some(occurs)
}
