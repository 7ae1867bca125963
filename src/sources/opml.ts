import { Parser } from 'htmlparser2'
import type { FeedProblem } from '../model/feed.ts'
import { decodeEntities } from './entities.ts'
import { foafReader } from './foaf-reader.ts'
import { ListCollector, type ListEntry, type ListLink } from './list-collector.ts'
import { listText } from './list-text.ts'
import { type ListReader, outlineReader } from './outline-reader.ts'
import { type PlainList, readPlainList } from './plain-list.ts'

export { type OpmlSource, type Outline, opmlParts, outlineParts, writeOpml } from './opml-write.ts'

export interface OpmlList {
  readonly title: string | null
  readonly entries: ListEntry[]
  /** Sites that are listed without the address of a feed. */
  readonly pages: ListLink[]
  /** Other lists that this one includes; they are not followed. */
  readonly lists: ListLink[]
  readonly problems: FeedProblem[]
}

const DEEPEST_ELEMENT = 500

/**
 * Reads a list of feeds: OPML in all its dialects, FOAF in RDF, iGoogle's export, or plain addresses, one a line. Folders
 * become categories; broken syntax, missing ends and wrong capitals are tolerated. Never throws: what is no list has no
 * entries and a problem.
 */
export function readOpml(input: Uint8Array | string): OpmlList {
  const reading = opmlReading(input)
  for (let step = reading.next(); ; step = reading.next()) if (step.done === true) return step.value
}

/** Read in one go: some milliseconds. */
const PART_LENGTH = 65_536

/** The same in parts, for a process that has others to serve. */
export function* opmlReading(input: Uint8Array | string): Generator<undefined, OpmlList> {
  const collector = new ListCollector()
  const problems: FeedProblem[] = []
  let title: string | null = null
  const outlines = outlineReader(collector, (found) => {
    title ??= found
  })
  const text = typeof input === 'string' ? input : listText(input)
  const root = yield* parseList(text, outlines, foafReader(collector), problems)
  const plain = root ? null : readPlainList(text)
  if (plain !== null) return plainAsList(plain)
  if (!root)
    problems.unshift({ code: 'not-a-list', message: 'Neither OPML nor RDF nor a list of addresses', offset: null })
  const [pages, lists] = [collector.pageLinks(), collector.listLinks()]
  for (const { url, name } of pages) problems.push(note('no-feed-address', `No feed address for ${name ?? url}`))
  for (const { url } of lists) problems.push(note('included-list', `Not followed, another list: ${url}`))
  return { title, entries: collector.entries(), pages, lists, problems }
}

function plainAsList({ entries, others }: PlainList): OpmlList {
  const problems = others.map((line) => note('no-address', `Not an address: ${line.slice(0, 100)}`))
  return { title: null, entries, pages: [], lists: [], problems }
}

function note(code: string, message: string): FeedProblem {
  return { code, message, offset: null }
}

const ROOTS = new Set(['opml', 'rdf:rdf', 'gadgettabml'])

/** Whether a root element of a list was met. */
function* parseList(
  text: string,
  outlines: ListReader,
  foaf: ListReader,
  problems: FeedProblem[],
): Generator<undefined, boolean> {
  let reader: ListReader | null = null
  let content = ''
  let depth = 0
  let inCdata = false
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (ROOTS.has(name)) reader = name === 'rdf:rdf' ? foaf : outlines
        content = ''
        depth += 1
        if (depth > DEEPEST_ELEMENT) throw new TooDeep()
        for (const key of Object.keys(attributes)) attributes[key] = decodeEntities(attributes[key] as string)
        reader?.open(name, attributes)
      },
      ontext(part) {
        reader?.text(part)
        content += inCdata ? part.replaceAll('&', '&amp;') : part
      },
      oncdatastart() {
        inCdata = true
      },
      oncdataend() {
        inCdata = false
      },
      onclosetag(name) {
        depth -= 1
        reader?.close(name, decodeEntities(content))
        content = ''
      },
    },
    { xmlMode: true, decodeEntities: false, lowerCaseTags: true, lowerCaseAttributeNames: true },
  )
  try {
    for (let at = 0; at < text.length; at += PART_LENGTH) {
      parser.write(text.slice(at, at + PART_LENGTH))
      yield
    }
    parser.end()
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error
    problems.push(note('too-deep', `Read up to where elements nest deeper than ${DEEPEST_ELEMENT}`))
  }
  return reader !== null
}

/** Parsing takes time in proportion to length times depth, and no list is deep. */
class TooDeep extends Error {}
