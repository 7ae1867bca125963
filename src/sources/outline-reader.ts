import { joinCategory, splitCategory } from './category-path.ts'
import { decodeEntities } from './entities.ts'
import { type ListCollector, nonEmpty } from './list-collector.ts'

/** What a reader of one kind of list makes of elements; names and attribute names come in lower case. */
export interface ListReader {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close(name: string, text: string): void
  /** Text within any element, as it is in the document. */
  text(part: string): void
}

/** A folder, or the place of a feed (which is none: its name is null). */
interface Frame {
  name: string | null
  /** Its end was swallowed, so that the next end of an outline is its parent's. */
  swallowed: boolean
}

// What is left of an outline whose description holds quotes and tags: `…</a>." xmlUrl="https://…" type="rss" />`.
const LOST = /\bxmlUrl\s{0,9}=\s{0,9}["']([^"'<>]{1,2000})["'][^<>]{0,2000}?(\/?)>/i

/**
 * OPML 1 and 2 (and the tabs and modules of iGoogle's export, which have the same shape). An outline with `xmlUrl` is
 * a feed whatever its type says; one without is a folder, and its name a step of the category path.
 */
export function outlineReader(collector: ListCollector, setTitle: (title: string) => void): ListReader {
  const frames: Frame[] = []
  let inHead = false

  function openOutline(attributes: Readonly<Record<string, string>>): void {
    const name = nonEmpty(attributes['text']) ?? nonEmpty(attributes['title'])
    const isLeaf = addLink(attributes, name)
    frames.push({ name: isLeaf ? null : name, swallowed: false })
  }

  /** Whether the outline is something other than a folder. */
  function addLink(attributes: Readonly<Record<string, string>>, name: string | null): boolean {
    const type = attributes['type']?.trim().toLowerCase()
    const feedUrl = nonEmpty(attributes['xmlurl'])
    const siteUrl = nonEmpty(attributes['htmlurl'])
    const otherUrl = nonEmpty(attributes['url'])
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
    const path = joinCategory(frames.flatMap(({ name }) => name ?? []))
    // OPML 2.0: strings separated by commas, each a path separated by slashes.
    const named = (attribute ?? '').split(',').map((category) => joinCategory(splitCategory(category)))
    return [path, ...named]
  }

  /** The outline was taken for a folder, because its address is behind a stray quote. */
  function rescue(url: string, swallowed: boolean): void {
    const frame = frames.at(-1)
    if (frame === undefined || frame.name === null) return
    const { name } = frame
    frame.name = null
    frame.swallowed = swallowed
    collector.addFeed(url, name, null, categoriesOf(undefined))
  }

  function endOutline(): void {
    while (frames.pop()?.swallowed) {
      // Goes on to the parent, whose end this is.
    }
  }

  return {
    text(part) {
      const lost = part.length > 8 ? LOST.exec(part) : null
      const url = lost === null ? null : nonEmpty(lost[1])
      if (url !== null) rescue(decodeEntities(url), lost?.[2] === '/')
    },
    open(name, attributes) {
      if (name === 'outline' || name === 'tab' || name === 'moduleprefs') openOutline(attributes)
      else if (name === 'head') inHead = true
    },
    close(name, text) {
      if (name === 'outline' || name === 'tab' || name === 'moduleprefs') endOutline()
      else if (name === 'head') inHead = false
      else if (name === 'title' && inHead && nonEmpty(text) !== null) setTitle(nonEmpty(text) as string)
    },
  }
}

const FEED_TYPES = new Set(['rss', 'rss1', 'rss2', 'atom', 'feed', 'pie'])
