/**
 * How a page that is no feed is read. Each is a CSS selector: `list` finds the items on the page, the others what they say
 * within one of them; without one the usual places are tried.
 */
export interface ListSelectors {
  readonly list: string
  readonly title?: string | null
  readonly link?: string | null
  readonly date?: string | null
  readonly content?: string | null
}

/** One element of the page; each change of its text is an item. */
export interface WatchedElement {
  readonly element: string
}

export type Listing = ListSelectors | WatchedElement

export function isWatchedElement(listing: Listing): listing is WatchedElement {
  return 'element' in listing
}
