import type { Item, ParsedItem } from '../../model/index.ts'
import { isExcerpt } from './excerpt.ts'
import { words } from './fold.ts'
import { stripMarkup } from './markup.ts'
import type { Term, TextQuery } from './query.ts'

/** The texts of an item that can be searched, HTML or plain. A phrase never reaches over two of them. */
export function searchableTexts(item: SearchableItem): string[] {
  return [...mainTexts(item), ...furtherTexts(item)]
}

export type SearchableItem = Pick<ParsedItem, 'title' | 'content' | 'summary' | 'authors' | 'categories'> &
  Pick<Item, 'article'>

export function mainTexts({ title, content, article }: SearchableItem): string[] {
  return [title, content, article ?? null].filter((text) => text !== null)
}

/** Takes longer to decide: a summary that is the beginning of the content is left out. */
export function furtherTexts(item: SearchableItem): string[] {
  const texts: string[] = []
  if (item.summary !== null && !(item.content !== null && isExcerpt(item.summary, item.content)))
    texts.push(item.summary)
  for (const author of item.authors) if (author.name !== null) texts.push(author.name)
  for (const category of item.categories) texts.push(category)
  return texts
}

export function matchesText(query: TextQuery, item: SearchableItem): boolean {
  const texts = searchableTexts(item).map((text) => ` ${words(stripMarkup(text)).join(' ')} `)
  const occurs = (term: Term) => {
    const phrase = ` ${term.words.join(' ')}${term.prefix ? '' : ' '}`
    return texts.some((text) => text.includes(phrase))
  }
  return query.all.every(occurs) && !query.none.some(occurs)
}
