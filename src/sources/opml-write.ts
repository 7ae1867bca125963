import { generateOpml } from 'feedsmith'
import type { InstantMs } from '../model/time.ts'
import { splitCategory, tidy } from './category-path.ts'

export interface OpmlSource {
  readonly url: string
  readonly name: string | null
  readonly siteUrl: string | null
  readonly categories: readonly string[]
}

interface Outline {
  text: string
  type?: string
  xmlUrl?: string
  htmlUrl?: string
  outlines?: Outline[]
}

/**
 * OPML 2.0 for any reader. Categories become nested folders, and a source with several stands in each of their
 * folders: readers know folders, few know the `category` attribute. A source without a name is called by its address
 * (OPML demands a text), which readOpml takes back.
 */
export function writeOpml(sources: readonly OpmlSource[], title: string, now: InstantMs): string {
  const root = newFolder('')
  for (const source of sources) {
    const paths = source.categories.map(splitCategory).filter((path) => path.length > 0)
    if (paths.length === 0) root.outline.outlines.push(feedOutline(source))
    for (const path of paths) folderAt(root, path).outline.outlines.push(feedOutline(source))
  }
  // The generator refuses an empty body; to export nothing is still no error.
  if (sources.length === 0) return emptyList(title, now)
  return generateOpml({
    head: { title: printable(title), dateCreated: new Date(now) },
    body: { outlines: root.outline.outlines },
  })
}

function emptyList(title: string, now: InstantMs): string {
  const escaped = printable(title).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const head = `<title>${escaped}</title><dateCreated>${new Date(now).toUTCString()}</dateCreated>`
  return `<?xml version="1.0" encoding="utf-8"?>\n<opml version="2.0"><head>${head}</head><body></body></opml>\n`
}

interface Folder {
  readonly outline: Outline & { outlines: Outline[] }
  readonly folders: Map<string, Folder>
}

function newFolder(name: string): Folder {
  return { outline: { text: printable(name), outlines: [] }, folders: new Map() }
}

function folderAt(root: Folder, path: readonly string[]): Folder {
  let folder = root
  for (const name of path) {
    let next = folder.folders.get(name)
    if (next === undefined) {
      next = newFolder(name)
      folder.folders.set(name, next)
      folder.outline.outlines.push(next.outline)
    }
    folder = next
  }
  return folder
}

function feedOutline(source: OpmlSource): Outline {
  const outline: Outline = {
    text: printable(source.name ?? source.url) || source.url,
    type: 'rss',
    xmlUrl: printable(source.url),
  }
  if (source.siteUrl !== null) outline.htmlUrl = printable(source.siteUrl)
  return outline
}

const NOT_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

/** Characters that XML 1.0 §2.2 forbids have no way to be written; half a surrogate pair becomes U+FFFD. */
function printable(text: string): string {
  return tidy(Buffer.from(text.replace(NOT_XML, ''), 'utf8').toString('utf8'))
}
