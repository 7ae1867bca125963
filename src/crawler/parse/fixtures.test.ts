import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseFeed as parseWithFeedsmith } from 'feedsmith'
import { describe, expect, it } from 'vitest'
import { parsedToJson } from './json.ts'
import { parseFeed } from './parse.ts'

const FOLDER = fileURLToPath(new URL('./fixtures/', import.meta.url))
const DOCUMENTS = readdirSync(FOLDER).filter((name) => /\.(?:xml|feed)$/.test(name))

const read = (name: string): Buffer => readFileSync(FOLDER + name)

describe('fixture pairs', () => {
  it.each(DOCUMENTS)('%s is read as its .json says', (name) => {
    const result = parseFeed(read(name), { url: 'https://host.example/dir/feed' })
    const expected: unknown = JSON.parse(read(name.replace(/\.\w+$/, '.json')).toString('utf8'))
    expect(JSON.parse(JSON.stringify(parsedToJson(result, { compact: true })))).toEqual(expected)
  })

  it.each(DOCUMENTS.filter((name) => !name.startsWith('broken')))('%s has no problems', (name) => {
    expect(parseFeed(read(name)).problems).toEqual([])
  })
})

interface Loose {
  readonly title?: unknown
  readonly items?: readonly Loose[]
  readonly entries?: readonly Loose[]
}

/** feedsmith gives a text, or an object with it under `value`. */
function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'value' in value ? value.value : value
}

// feedsmith knows no CDF, and reads RSS 0.90 as RDF without its name.
const COMMON = DOCUMENTS.filter((name) => /^(?:rss-(?:0\.9[12]|1|2)|atom|json)/.test(name))

describe('beside feedsmith', () => {
  it.each(COMMON)('%s: same title, items and item titles', (name) => {
    const theirs = parseWithFeedsmith(read(name).toString('utf8')).feed as Loose
    const ours = parseFeed(read(name))
    const items = theirs.items ?? theirs.entries ?? []
    expect(ours.items.length).toBe(items.length)
    if (name === 'atom-0.3.xml') return // Its titles in base64 and its escaped ones are left as they are there.
    expect(ours.feed.title).toBe(plain(theirs.title))
    expect(ours.items.map(({ title }) => title ?? undefined)).toEqual(items.map(({ title }) => plain(title)))
  })
})
