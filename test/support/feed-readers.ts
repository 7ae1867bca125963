import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { PATIENCE_MS } from './patience.ts'

const run = promisify(execFile)

export interface FeedparserEntry {
  readonly id: string | null
  readonly title: string | null
  readonly link: string | null
  readonly author: string | null
  readonly published: string | null
  readonly updated: string | null
  readonly summary: string | null
  readonly content: readonly string[]
  readonly tags: readonly string[]
  readonly enclosures: readonly string[]
  readonly source: string | null
  readonly comments: string | null
}

export interface FeedparserReading {
  readonly bozo: boolean
  readonly problem: string | null
  /** What a strict XML parser says; null: well-formed. */
  readonly xmlError: string | null
  readonly version: string
  readonly title: string | null
  readonly entries: readonly FeedparserEntry[]
}

const SCRIPT = `
import sys, json, feedparser, xml.etree.ElementTree as tree
def read(place):
    parsed = feedparser.parse(place)
    error = None
    if not place.startswith('http'):
        try: tree.parse(place)
        except tree.ParseError as e: error = str(e)
    return dict(bozo=bool(parsed.bozo), problem=repr(parsed.get('bozo_exception')) if parsed.bozo else None,
        xmlError=error, version=parsed.get('version'), title=parsed.feed.get('title'),
        entries=[dict(id=e.get('id'), title=e.get('title'), link=e.get('link'), author=e.get('author'),
            published=e.get('published'), updated=e.get('updated'), summary=e.get('summary'),
            content=[c.value for c in e.get('content', [])], tags=[t.term for t in e.get('tags', [])],
            enclosures=[x.get('href') for x in e.get('enclosures', [])],
            source=(e.get('source') or {}).get('title'), comments=e.get('comments')) for e in parsed.entries])
json.dump([read(place) for place in json.load(open(sys.argv[1]))], sys.stdout)
`

/** Debian's own interpreter knows its python3-feedparser; another python3 may come first in PATH. */
const PYTHON = ['/usr/bin/python3', 'python3'].find(
  (python) => spawnSync(python, ['-c', 'import feedparser'], { stdio: 'ignore' }).status === 0,
)

/** Reads documents (or http addresses) with the universal feed parser; all in one process, in order. */
export async function readWithFeedparser(filePaths: readonly string[]): Promise<readonly FeedparserReading[]> {
  if (PYTHON === undefined) throw new Error('python3 with feedparser is missing: run node scripts/test-tools.mjs')
  const folder = mkdtempSync(join(tmpdir(), 'headwater-feedparser-'))
  try {
    const paths = filePaths.map((file, i) => {
      if (file.startsWith('http://')) return file
      const path = join(folder, `${i}.xml`)
      writeFileSync(path, file)
      return path
    })
    writeFileSync(join(folder, 'list.json'), JSON.stringify(paths))
    writeFileSync(join(folder, 'read.py'), SCRIPT)
    const args = [join(folder, 'read.py'), join(folder, 'list.json')]
    const { stdout } = await run(PYTHON, args, { maxBuffer: 2 ** 30, encoding: 'utf8' })
    return JSON.parse(stdout)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const STRICT = `
import sys, json, xml.etree.ElementTree as tree
def error(document):
    try: tree.fromstring(document.encode('utf-8'))
    except (tree.ParseError, UnicodeEncodeError) as e: return str(e)
json.dump([error(document) for document in json.load(sys.stdin)], sys.stdout)
`

/** What a strict XML parser (expat) says of each document; null: well-formed. */
export function xmlErrors(documents: readonly string[]): readonly (string | null)[] {
  const options = { input: JSON.stringify(documents), maxBuffer: 2 ** 30, encoding: 'utf8' } as const
  return JSON.parse(spawnSync(PYTHON ?? 'python3', ['-c', STRICT], options).stdout)
}

export interface NewsboatListing {
  /** Addresses of the feeds that it could read. */
  readonly feeds: readonly string[]
  readonly guids: readonly string[]
}

/** Has newsboat fetch these feeds once, and returns what it then lists. It keeps one item a guid over all feeds. */
export async function fetchWithNewsboat(urls: readonly string[]): Promise<NewsboatListing> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-newsboat-'))
  const at = (name: string) => join(folder, name)
  try {
    writeFileSync(at('urls'), `${urls.join('\n')}\n`)
    writeFileSync(at('config'), 'reload-threads 1\nmax-items 0\n')
    const args = ['-u', at('urls'), '-c', at('cache.db'), '-C', at('config'), '-x', 'reload']
    const env = { ...process.env, HOME: folder, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' }
    await run('newsboat', args, { env, timeout: PATIENCE_MS })
    const database = new Database(at('cache.db'), { readonly: true })
    try {
      const column = (query: string) => database.prepare(query).pluck().all() as string[]
      return {
        feeds: column("SELECT rssurl FROM rss_feed WHERE title <> ''"),
        guids: column('SELECT guid FROM rss_item'),
      }
    } finally {
      database.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
