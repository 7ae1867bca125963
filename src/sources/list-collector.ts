import { tidy } from './category-path.ts'

export interface ListEntry {
  readonly url: string
  readonly name: string | null
  readonly siteUrl: string | null
  /** Sorted, without repeats. */
  readonly categories: string[]
}

export interface ListLink {
  readonly url: string
  readonly name: string | null
}

interface Draft {
  name: string | null
  siteUrl: string | null
  readonly categories: Set<string>
}

/** Gathers feeds as they are met; one that is met in several places is one entry with all its categories. */
export class ListCollector {
  private readonly drafts = new Map<string, Draft>()
  private readonly pages = new Map<string, string | null>()
  private readonly lists = new Map<string, string | null>()

  addFeed(url: string, name: string | null, siteUrl: string | null, categories: Iterable<string>): void {
    let draft = this.drafts.get(url)
    if (draft === undefined) {
      draft = { name: null, siteUrl: null, categories: new Set() }
      this.drafts.set(url, draft)
    }
    draft.name ??= name
    draft.siteUrl ??= siteUrl
    for (const category of categories) if (category !== '') draft.categories.add(category)
  }

  /** A page without the address of its feed. */
  addPage(url: string, name: string | null): void {
    if (!this.pages.has(url)) this.pages.set(url, name)
  }

  /** Another list that this one refers to. */
  addList(url: string, name: string | null): void {
    if (!this.lists.has(url)) this.lists.set(url, name)
  }

  entries(): ListEntry[] {
    return [...this.drafts].map(([url, { name, siteUrl, categories }]) => ({
      url,
      name: name === url ? null : name,
      siteUrl,
      categories: [...categories].sort(),
    }))
  }

  pageLinks(): ListLink[] {
    return [...this.pages].map(([url, name]) => ({ url, name }))
  }

  listLinks(): ListLink[] {
    return [...this.lists].map(([url, name]) => ({ url, name }))
  }
}

/** An attribute without the white space around; null where absent or empty. */
export function nonEmpty(value: string | undefined): string | null {
  const text = value === undefined ? '' : tidy(value)
  return text === '' ? null : text
}
