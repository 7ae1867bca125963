import { joinCategory, splitCategory } from './category-path.ts'
import { filled, type ListCollector } from './list-collector.ts'

/** What a reader of one kind of list makes of elements; names and attribute names come in lower case. */
export interface ListReader {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close(name: string, text: string): void
}

/**
 * OPML 1 and 2 (and the tabs and modules of iGoogle's export, which have the same shape). An outline with `xmlUrl` is
 * a feed whatever its type says; one without is a folder, and its name a step of the category path.
 */
export function outlineReader(collector: ListCollector, setTitle: (title: string) => void): ListReader {
  const folders: (string | null)[] = []
  let inHead = false

  function openOutline(attributes: Readonly<Record<string, string>>): void {
    const name = filled(attributes['text']) ?? filled(attributes['title'])
    const isLeaf = addLink(attributes, name)
    folders.push(isLeaf ? null : name)
  }

  /** Whether the outline is something other than a folder. */
  function addLink(attributes: Readonly<Record<string, string>>, name: string | null): boolean {
    const type = attributes['type']?.trim().toLowerCase()
    const feedUrl = filled(attributes['xmlurl'])
    const siteUrl = filled(attributes['htmlurl'])
    const otherUrl = filled(attributes['url'])
    // Liferea marks a list of lists so.
    if (feedUrl !== null && type === 'source') collector.addList(feedUrl, name)
    else if (feedUrl !== null) collector.addFeed(feedUrl, name, siteUrl, categoriesOf(attributes['category']))
    else if (otherUrl !== null && (type === 'link' || type === 'include')) collector.addList(otherUrl, name)
    // Some readers write the feed's address as `url`.
    else if (otherUrl !== null && type !== undefined && FEED_TYPES.has(type)) {
      collector.addFeed(otherUrl, name, siteUrl, categoriesOf(attributes['category']))
    } else if (siteUrl !== null) collector.addPage(siteUrl, name)
    else return false
    return true
  }

  function categoriesOf(attribute: string | undefined): string[] {
    const path = joinCategory(folders.filter((name) => name !== null))
    // OPML 2.0: strings separated by commas, each a path separated by slashes.
    const named = (attribute ?? '').split(',').map((category) => joinCategory(splitCategory(category)))
    return [path, ...named]
  }

  return {
    open(name, attributes) {
      if (name === 'outline' || name === 'tab' || name === 'moduleprefs') openOutline(attributes)
      else if (name === 'head') inHead = true
    },
    close(name, text) {
      if (name === 'outline' || name === 'tab' || name === 'moduleprefs') folders.pop()
      else if (name === 'head') inHead = false
      else if (name === 'title' && inHead && filled(text) !== null) setTitle(filled(text) as string)
    },
  }
}

const FEED_TYPES = new Set(['rss', 'rss1', 'rss2', 'atom', 'feed', 'pie'])
