import type { InstantMs } from '../model/time.ts'
import { splitCategory, tidy } from './category-path.ts'

export interface OpmlSource {
  readonly url: string
  readonly name: string | null
  readonly siteUrl: string | null
  readonly categories: readonly string[]
}

export interface Outline {
  readonly text: string
  /** Absent: a folder. */
  readonly xmlUrl?: string
  readonly htmlUrl?: string | null
  readonly outlines?: readonly Outline[]
}

/**
 * OPML 2.0 for any reader. Categories become nested folders, and a source with several is in each of their
 * folders: readers know folders, few know the `category` attribute. A source without a name is called by its address
 * (OPML demands a text), which readOpml takes back.
 */
export function writeOpml(sources: readonly OpmlSource[], title: string, now: InstantMs): string {
  return [...opmlParts(sources, title, now)].join('')
}

/** The same in parts, for a process that has others to serve: fifty thousand sources take half a second. */
export function* opmlParts(sources: readonly OpmlSource[], title: string, now: InstantMs): Generator<string> {
  const root = newFolder('')
  for (const source of sources) {
    const paths = source.categories.map(splitCategory).filter((path) => path.length > 0)
    if (paths.length === 0) root.outlines.push(feedOutline(source))
    for (const path of paths) folderAt(root, path).outlines.push(feedOutline(source))
    yield ''
  }
  yield* outlineParts(root.outlines, title, now)
}

/** A list of outlines, one part for each. */
export function* outlineParts(outlines: readonly Outline[], title: string, now: InstantMs): Generator<string> {
  const created = new Date(now).toUTCString()
  yield `<?xml version="1.0" encoding="utf-8"?>\n<opml version="2.0">\n<head>\n<title>${escapeAttribute(printable(title))}</title>
<dateCreated>${created}</dateCreated>\n</head>\n<body>\n`
  yield* elements(outlines)
  yield '</body>\n</opml>\n'
}

function* elements(outlines: readonly Outline[]): Generator<string> {
  for (const outline of outlines) {
    if (outline.outlines === undefined) yield `<outline${attributes(outline)}/>\n`
    else {
      yield `<outline${attributes(outline)}>\n`
      yield* elements(outline.outlines)
      yield '</outline>\n'
    }
  }
}

function attributes({ text, xmlUrl, htmlUrl }: Outline): string {
  const name = printable(text) || printable(xmlUrl ?? '')
  const address = xmlUrl === undefined ? '' : ` type="rss" xmlUrl="${escapeAttribute(printable(xmlUrl))}"`
  const site = htmlUrl == null ? '' : ` htmlUrl="${escapeAttribute(printable(htmlUrl))}"`
  return ` text="${escapeAttribute(name)}"${address}${site}`
}

interface Folder extends Outline {
  readonly outlines: Outline[]
  readonly folders: Map<string, Folder>
}

function newFolder(text: string): Folder {
  return { text, outlines: [], folders: new Map() }
}

function folderAt(root: Folder, path: readonly string[]): Folder {
  let folder = root
  for (const name of path) {
    let next = folder.folders.get(name)
    if (next === undefined) {
      next = newFolder(name)
      folder.folders.set(name, next)
      folder.outlines.push(next)
    }
    folder = next
  }
  return folder
}

function feedOutline({ name, url, siteUrl }: OpmlSource): Outline {
  return { text: name ?? url, xmlUrl: url, htmlUrl: siteUrl }
}

const NOT_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
/** Most texts have nothing of what has no way to be written, nor surrogates. */
const MAYBE_NOT_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/
const SPECIAL = /[&<>"]/

/** Characters that XML 1.0 §2.2 forbids have no way to be written; half a surrogate pair becomes U+FFFD. */
function printable(text: string): string {
  if (!MAYBE_NOT_XML.test(text)) return tidy(text)
  return tidy(Buffer.from(text.replace(NOT_XML, ''), 'utf8').toString('utf8'))
}

function escapeAttribute(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
