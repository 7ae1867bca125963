import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NEVER, outgoing, outgoingItem } from '../../../test/contract/channel.contract.ts'
import type { Channel } from './channel.ts'
import { createFileChannel } from './file.ts'

let parent: string
let folder: string
let channel: Channel
let rendered: string | null

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'headwater-files-'))
  folder = join(parent, 'out')
  rendered = '<rss/>'
  channel = createFileChannel({
    folder,
    render: async (name, format) => (rendered === null ? null : Buffer.from(`${rendered} ${name} ${format}`)),
  })
})
afterEach(() => rmSync(parent, { recursive: true }))

const items = (...numbers: readonly number[]) => numbers.map((n) => outgoingItem(n))
const deliver = (path: string, ...numbers: readonly number[]) =>
  channel.deliver(outgoing(path, items(...numbers)), NEVER)
const lines = (path: string) =>
  readFileSync(join(folder, path), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).seq)

describe('a file of JSON lines', () => {
  it('grows by one line per publication, in new folders too', async () => {
    expect(await deliver('a/b/items.jsonl', 1, 2)).toEqual({ kind: 'delivered' })
    await deliver('a/b/items.jsonl', 3)
    expect(lines('a/b/items.jsonl')).toEqual([1, 2, 3])
  })

  it('gets each publication once, whatever a crash has left', async () => {
    await deliver('x.jsonl', 1, 2)
    // Written, but not recorded as delivered: the same comes again, with more.
    await deliver('x.jsonl', 1, 2, 3)
    await deliver('x.jsonl', 3)
    expect(lines('x.jsonl')).toEqual([1, 2, 3])
    // Killed within a line.
    appendFileSync(join(folder, 'x.jsonl'), '{"publication_id":"pub-1-4","se')
    await deliver('x.jsonl', 4, 5)
    expect(lines('x.jsonl')).toEqual([1, 2, 3, 4, 5])
  })

  it('is left alone where it holds something else', async () => {
    mkdirSync(folder)
    writeFileSync(join(folder, 'notes.txt'), 'my notes\n')
    await deliver('notes.txt', 1)
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toMatch(/^my notes\n\{.*\}\n$/)
  })

  it('finds the last line also of a very long one', async () => {
    const long = outgoingItem(1, { title: 'x', content: `<p>${'word '.repeat(40_000)}</p>` })
    await channel.deliver(outgoing('x.jsonl', [long]), NEVER)
    await channel.deliver(outgoing('x.jsonl', [long, outgoingItem(2)]), NEVER)
    expect(lines('x.jsonl')).toEqual([1, 2])
  })
})

describe('a feed file', () => {
  it.each([
    ['feed.rss', 'rss'],
    ['feed.xml', 'rss'],
    ['feed.ATOM', 'atom'],
    ['feed.json', 'json'],
  ])('%s is the feed as %s, replaced as a whole', async (path, format) => {
    await deliver(path, 1)
    rendered = 'new'
    await deliver(path, 2)
    expect(readFileSync(join(folder, path), 'utf8')).toBe(`new news ${format}`)
    expect(readdirSync(folder)).toEqual([path])
  })

  it('stays as it is when the feed is gone', async () => {
    await deliver('feed.rss', 1)
    rendered = null
    expect(await deliver('feed.rss', 2)).toEqual({ kind: 'delivered' })
    expect(readFileSync(join(folder, 'feed.rss'), 'utf8')).toContain('<rss/>')
  })
})

describe('a path that leads out of the folder', () => {
  it.each(['../x.jsonl', '/etc/headwater.jsonl', 'a/../../x.rss', '.', '..', ''])('%j is refused', async (path) => {
    const outcome = await deliver(path, 1)
    expect(outcome).toMatchObject({ kind: 'dead', problem: { code: 'FILE_OUTSIDE' } })
    expect(outcome.kind === 'dead' && outcome.problem.message).toContain('must lie in the folder')
    expect(existsSync(join(parent, 'x.jsonl'))).toBe(false)
  })

  it('is refused also by way of a link', async () => {
    mkdirSync(folder)
    const elsewhere = join(parent, 'elsewhere')
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, 'secret.txt'), 'secret')
    symlinkSync(elsewhere, join(folder, 'way'))
    symlinkSync(join(elsewhere, 'secret.txt'), join(folder, 'file.jsonl'))
    for (const path of ['way/x.jsonl', 'way/deep/x.rss', 'file.jsonl']) {
      expect(await deliver(path, 1)).toMatchObject({ kind: 'dead', problem: { code: 'FILE_OUTSIDE' } })
    }
    expect(readdirSync(elsewhere)).toEqual(['secret.txt'])
    expect(readFileSync(join(elsewhere, 'secret.txt'), 'utf8')).toBe('secret')
  })

  it('may be written in full where it is inside', async () => {
    expect(await deliver(join(folder, 'x.jsonl'), 1)).toEqual({ kind: 'delivered' })
  })
})
