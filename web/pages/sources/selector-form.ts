import type { ListingChoice, ListingSuggestion } from '../../../src/api/operations/wire.ts'

/** The selectors of a page as they are typed. */
export interface SelectorForm {
  readonly kind: 'list' | 'element'
  readonly list: string
  readonly title: string
  readonly link: string
  readonly date: string
  readonly content: string
  readonly element: string
}

export const EMPTY_SELECTORS: SelectorForm = {
  kind: 'list',
  list: '',
  title: '',
  link: '',
  date: '',
  content: '',
  element: '',
}

export function selectorsOf({ listing: { list, title, link, date, content } }: ListingSuggestion): SelectorForm {
  return {
    ...EMPTY_SELECTORS,
    list,
    title: title ?? '',
    link: link ?? '',
    date: date ?? '',
    content: content ?? '',
  }
}

/** As it is sent; null: not enough is said. */
export function listingOf(form: SelectorForm): ListingChoice | null {
  const { kind, list, title, link, date, content, element } = form
  const orNull = (selector: string) => selector.trim() || null
  if (kind === 'element') return element.trim() === '' ? null : { element: element.trim() }
  if (list.trim() === '') return null
  return { list: list.trim(), title: orNull(title), link: orNull(link), date: orNull(date), content: orNull(content) }
}
