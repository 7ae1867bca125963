import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WARCParser } from 'warcio'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { newItem, observation, record } from '../contract/store.fixture.ts'
import { runCommand } from '../support/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'headwater-stored-pages-'))
const pages = (...args: readonly string[]) => runCommand(['pages', ...args, '--data', folder])
const PROSE = 'The glacier moved eleven metres in one week, and the valley watched it with patience. '.repeat(4)
/** In Latin 2, as its header alone says. */
const HTML = `<html><head><title>Ice</title></head><body><div class="box"><h1>Ice \u00e9</h1><p>${PROSE}</p></div></body></html>`
const CONTENT_TYPE = 'text/html; charset=iso-8859-2'

async function fill(): Promise<readonly number[]> {
  const { store } = await openSqliteStore({ path: join(folder, 'headwater.db'), clock: systemClock })
  const [added] = await store.addSources([withSourceDefaults({ url: 'https://news.example/feed', pages: 'fetch' })], 1)
  const source = added!.source
  const items = ['one', 'two'].map((name) => newItem(name, { link: `https://news.example/${name}` }))
  await store.recordRefresh(
    record(source, { observation: observation(source.id, 1), newItems: items, fetchesPages: true }),
  )
  const due = await store.duePages(Number.MAX_SAFE_INTEGER, { limit: 9 })
  for (const { seq, url } of due) {
    const found = { finalUrl: `${url}?final`, contentType: CONTENT_TYPE, etag: null, lastModified: null, facts: null }
    const body = gzipSync(Buffer.from(HTML, 'latin1'))
    const visit = { seq, attempts: 1, dueAt: null, fetchedAt: Date.UTC(2026, 0, 5), status: 200, failure: null }
    await store.recordPage({ ...visit, found: { ...found, body, article: null } })
  }
  await store.close()
  return due.map(({ seq }) => seq)
}

describe('headwater pages', () => {
  let seqs: readonly number[]
  beforeAll(async () => {
    seqs = await fill()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const ruleFile = (rule: object): string => {
    const file = join(folder, 'rule.json')
    writeFileSync(file, JSON.stringify({ name: 'News', hosts: ['news.example'], ...rule }))
    return file
  }

  it('lists what is stored', async () => {
    const listed = await pages('list', '--json')
    expect(JSON.parse(listed.said)).toMatchObject([{ finalUrl: 'https://news.example/one?final' }, { status: 200 }])
    expect((await pages('list')).said).toContain('https://news.example/two?final')
  })

  it('writes a WARC file that tools can read, with the pages as they came', async () => {
    const file = join(folder, 'pages.warc.gz')
    expect(await pages('export', file, '--source', 'https://news.example/feed')).toMatchObject({ code: 0 })
    const records: { type: string; url: string | null; status: unknown; charset: string; payload: Buffer }[] = []
    for await (const one of new WARCParser([readFileSync(file)])) {
      const payload = Buffer.from(await one.readFully(true))
      const { status } = one.getResponseInfo() ?? { status: null }
      const charset = one.httpHeaders?.headers.get('Content-Type') ?? ''
      records.push({ type: one.warcType ?? '', url: one.warcTargetURI ?? null, status, charset, payload })
    }
    expect(records.map(({ type }) => type)).toEqual(['warcinfo', 'response', 'metadata', 'response', 'metadata'])
    expect(records[1]).toMatchObject({ url: 'https://news.example/one?final', status: 200, charset: CONTENT_TYPE })
    expect(records[1]?.payload.toString('latin1')).toBe(HTML)
    expect(JSON.parse(records[2]?.payload.toString() ?? '')).toMatchObject({ item: seqs[0] })
    // Each record is a member of its own, so that tools can jump to it.
    expect(
      gunzipSync(readFileSync(file))
        .toString('latin1')
        .match(/^WARC\/1\.1/gm),
    ).toHaveLength(5)
    expect(await pages('export', file)).toMatchObject({ code: 1, said: expect.stringContaining('FILE_UNWRITABLE') })
  })

  it('saves a rule that is right on stored pages, and no other', async () => {
    const [one = 0, two = 0] = seqs
    const items = [String(one), String(two)]
    const wrong = await pages('rule', 'add', ruleFile({ content: ['.gone'] }), ...items)
    expect(wrong).toMatchObject({
      code: 1,
      said: expect.stringMatching(/item \d+, content: nothing.*SITE_RULE_FAILS/s),
    })
    const elsewhere = await pages('rule', 'add', ruleFile({ hosts: ['a.example'], content: ['.box'] }), ...items)
    expect(elsewhere.said).toContain('news.example is none of them')
    expect((await pages('rule', 'add', ruleFile({ content: ['div['] }), ...items)).said).toContain('SITE_RULE_INVALID')
    expect((await pages('rule', 'add', ruleFile({ content: ['.box'] }), '999')).said).toContain('PAGE_NOT_STORED')
    expect(JSON.parse((await pages('rule', 'list', '--json')).said)).toEqual([])

    const file = ruleFile({ content: ['//div[@class="box"]'], title: ['//h1'] })
    const tried = JSON.parse((await pages('rule', 'try', file, items[0] ?? '')).said)
    expect(tried).toMatchObject([{ found: { content: 1, title: 1 }, problems: [], title: 'Ice \u00e9' }])
    expect((await pages('rule', 'add', file, ...items)).said).toContain('right on 2 pages')
    expect(JSON.parse((await pages('rule', 'list', '--json')).said)).toMatchObject([{ name: 'News' }])
    expect((await runCommand(['audit', '--data', folder])).said).toContain('site rule')
    expect((await pages('rule', 'remove', 'news')).code).toBe(0)
    expect((await pages('rule', 'remove', 'news')).said).toContain('SITE_RULE_NOT_FOUND')
  })

  it('asks for pages again', async () => {
    expect((await pages('again', String(seqs[0]))).said).toBe('1 page is fetched again\n')
    expect((await pages('again', '999')).said).toBe('0 pages are fetched again\n')
    expect((await pages('again', 'x')).said).toContain('USAGE')
  })
})
