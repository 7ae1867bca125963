import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changedItem, newItem, record, START } from '../../../../test/contract/store.fixture.ts'
import { withSourceDefaults } from '../../../app/sources/import-sources.ts'
import type { Item } from '../../../model/index.ts'
import { systemClock } from '../../../runtime/clock.ts'
import { seededRandom } from '../../../runtime/random.ts'
import type { Store } from '../../store.ts'
import { words } from '../../text/fold.ts'
import { stripMarkup } from '../../text/markup.ts'
import { matchesText } from '../../text/match.ts'
import { BLOCK_ITEMS, pairHashes } from '../../text/pair-filter.ts'
import { parseTextQuery } from '../../text/query.ts'
import { type Connection, openConnection } from '../database/connection.ts'
import { readSeqs } from '../items/items.ts'
import { openSqliteStore } from '../open.ts'
import { makeNextBlock, writeBlock } from './phrase-blocks.ts'
import { PhraseFilter } from './phrase-filter.ts'
import { TailPairs } from './phrase-tail.ts'

const folder = mkdtempSync(join(tmpdir(), 'headwater-phrases-'))
const path = join(folder, 'headwater.db')
const WORDS = ['sea', 'level', 'rises', 'ice', 'élan', '東', 'long', 'winter', 'night', 'x']
const ITEMS = 2 * BLOCK_ITEMS + 300
const EDITED = [5, 700, 1_500, ITEMS - 3]
const ALL = { kind: 'all' } as const
let store: Store
let connection: Connection
let archive: readonly Item[]

const random = seededRandom(7)
const word = () => WORDS[Math.floor(random() ** 2 * WORDS.length)]!
const text = (length: number) => Array.from({ length: 1 + Math.floor(random() * length) }, word).join(' ')

/** Every third has a summary that is the beginning of the content, with its last word cut. */
function excerptedText(index: number) {
  const plain = text(12)
  const beginning = plain.slice(0, Math.floor(plain.length * random()))
  const summary = `${beginning}${index % 2 === 0 ? ' [&#8230;]' : '</p>'}`
  return { content: `<p>${plain}</p>`, summary: index % 3 === 0 && beginning !== '' ? summary : null }
}

beforeAll(async () => {
  store = (await openSqliteStore({ path, clock: systemClock })).store
  const settings = ['a', 'b'].map((name) => withSourceDefaults({ url: `http://${name}.example/`, categories: [name] }))
  const [a, b] = (await store.addSources(settings, START)).map(({ source }) => source)
  for (let first = 0; first < ITEMS; first += 500) {
    const newItems = Array.from({ length: Math.min(500, ITEMS - first) }, (_, index) =>
      newItem(`i${first + index}`, { title: text(3), ...excerptedText(index), sortAt: START + (index % 40) * 1e6 }),
    )
    await store.recordRefresh(record(first % 1_000 === 0 ? a! : b!, { newItems }))
  }
  await store.items({ scope: ALL, text: 'sea', limit: 1 })
  connection = openConnection({ path })
  buildBlocks()
  // What is edited afterwards must be found by its new text, and no longer by the old.
  for (const number of EDITED) {
    const changedItems = [changedItem(`i${number}`, { title: 'winter sea', content: 'night level x x rises' })]
    await store.recordRefresh(record(number % 1_000 < 500 ? a! : b!, { changedItems }))
  }
  archive = await store.items({ scope: ALL, limit: 10_000 })
})
afterAll(async () => {
  connection.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const seqOf = ({ seq }: Item) => seq
const byIndex = (a: number, b: number) => {
  const placeOf = (seq: number) => archive.findIndex((item) => item.seq === seq)
  return placeOf(a) - placeOf(b)
}

function buildBlocks(): number {
  for (let blocks = 0; ; blocks++) {
    const block = connection.transaction(() => makeNextBlock(connection))
    if (block === null) return blocks
    connection.transaction(() => writeBlock(connection, block))
  }
}

describe('phrases in the archive', () => {
  it('has filters of all whole blocks, which refuse most items without the phrase', () => {
    expect(connection.sql('SELECT count(*) FROM phrase_block').pluck().get()).toBe(2)
    const query = parseTextQuery('"winter night"')!
    const filter = connection.transaction(() => new PhraseFilter(connection))
    const pairs = pairHashes(['winter', 'night'], false)
    const known = archive.filter(({ seq }) => seq <= 2 * BLOCK_ITEMS && !EDITED.includes(seq - 1))
    const wrong = known.filter((item) => !matchesText(query, item) && filter.mayHave(item.seq, pairs))
    expect(wrong.length / known.length).toBeLessThan(0.1)
    expect(known.every((item) => !matchesText(query, item) || filter.mayHave(item.seq, pairs))).toBe(true)
  })

  it('finds exactly what reading every item finds, page by page', { timeout: 120_000 }, async () => {
    const some = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 })
    const term = fc
      .tuple(fc.constantFrom('', '', '-'), some, fc.constantFrom('"', '"', ''))
      .map(([minus, words, quote]) => (quote === '' ? `${minus}${words[0]}` : `${minus}"${words.join(' ')}"`))
    const scope = fc.constantFrom(ALL, { kind: 'category', category: 'a' } as const)
    const limit = fc.integer({ min: 1, max: 80 })
    await fc.assert(
      fc.asyncProperty(fc.array(term, { minLength: 1, maxLength: 3 }), scope, limit, async (terms, within, most) => {
        const query = parseTextQuery(terms.join(' '))!
        const expected = archive.filter((item) => matchesText(query, item) && (within === ALL || item.sourceId === 1))
        const first = await store.items({ scope: within, text: terms.join(' '), limit: most })
        expect(first.map(({ seq }) => seq)).toEqual(expected.slice(0, most).map(({ seq }) => seq))
        const after = first.at(-1)
        if (after === undefined) return
        const second = await store.items({ scope: within, text: terms.join(' '), limit: most, after })
        expect(second.map(({ seq }) => seq)).toEqual(expected.slice(most, 2 * most).map(({ seq }) => seq))
      }),
      { numRuns: 60 },
    )
  })

  it('finds phrases of plain words where a search in the plain text does', async () => {
    const plain = WORDS.filter((one) => /^[a-z]+$/.test(one))
    const phrases = fc.array(fc.constantFrom(...plain), { minLength: 2, maxLength: 4 }).map((words) => words.join(' '))
    const textsOf = ({ title, content }: Item) =>
      [title, content].map((one) => ` ${(one ?? '').replace(/<[^>]*>/g, ' ')} `)
    await fc.assert(
      fc.asyncProperty(phrases, async (phrase) => {
        const expected = archive.filter((item) => textsOf(item).some((one) => one.includes(` ${phrase} `)))
        const found = await store.items({ scope: ALL, text: `"${phrase}"`, limit: 10_000 })
        expect(found.map(seqOf)).toEqual(expected.map(seqOf))
      }),
      { numRuns: 40 },
    )
  })

  it('leaves out of a preview only items without the phrase, also where a summary cuts its last word', async () => {
    const textsOf = ({ title, content, summary }: Item) => [title, content, summary].map((one) => spaced(one ?? ''))
    const spaced = (one: string) => ` ${words(stripMarkup(one)).join(' ')} `
    const texts = archive.map((item) => ({ seq: item.seq, texts: textsOf(item) })).sort((a, b) => a.seq - b.seq)
    const seqs = texts.map(({ seq }) => seq)
    let [refused, inSummaries] = [0, 0]
    for (const first of ['sea', 'level', 'rises', 'winter']) {
      for (const last of ['level', 'lev', 'ris', 'wint', 'night', 'ni', 'sea']) {
        const phrase = { kind: 'phrase', words: [first, last] } as const
        const found = new Set(await store.holdingPhrases(seqs, { kind: 'and', of: [phrase] }))
        const holding = texts.filter(({ texts }) => texts.some((one) => one.includes(` ${first} ${last} `)))
        expect(holding.filter(({ seq }) => !found.has(seq))).toEqual([])
        refused += seqs.length - found.size
        inSummaries += WORDS.includes(last) ? 0 : holding.length
      }
    }
    expect(inSummaries).toBeGreaterThan(20)
    // Of two blocks of three; some phrases are common.
    expect(refused / (28 * seqs.length)).toBeGreaterThan(0.4)
  })

  it('finds the same with the pairs of the newest items cached, also after they were edited', async () => {
    const tail = new TailPairs()
    const search = (phrase: string) =>
      connection.transaction(() => readSeqs(connection, { scope: ALL, text: phrase, limit: 3_000 }, tail))
    const expected = (phrase: string) => {
      const query = parseTextQuery(phrase)!
      return archive.filter((item) => matchesText(query, item)).map(seqOf)
    }
    for (const phrase of ['"sea level"', '"x x rises"', '"winter sea"', '"level sea level"', 'sea -"sea sea"']) {
      expect([phrase, search(phrase)]).toEqual([phrase, expected(phrase)])
    }
    const [a] = await store.sources()
    await store.recordRefresh(
      record(a!, {
        changedItems: [
          changedItem(`i${ITEMS - 3}`, { title: 'sea level', contentHash: '3'.repeat(32), changedAt: START + 9 }),
        ],
      }),
    )
    await store.items({ scope: ALL, text: 'sea', limit: 1 })
    expect(search('"sea level"')).toEqual([...new Set([...expected('"sea level"'), ITEMS - 2])].sort(byIndex))
    expect(search('"winter sea"')).toEqual(expected('"winter sea"').filter((seq) => seq !== ITEMS - 2))
  })

  it('rebuilds blocks when many of their items were edited, and only those', async () => {
    const [a] = await store.sources()
    for (let round = 0; round < 60; round++) {
      const changedItems = Array.from({ length: 10 }, (_, index) =>
        changedItem(`i${index}`, { contentHash: `${round}`.padStart(32, '0'), changedAt: START + 10 + round }),
      )
      await store.recordRefresh(record(a!, { changedItems }))
    }
    await store.items({ scope: ALL, text: 'sea', limit: 1 })
    expect(buildBlocks()).toBe(2)
    expect(buildBlocks()).toBe(0)
    const edits = connection.sql('SELECT max(id) FROM text_edit').pluck().get()
    expect(connection.sql('SELECT DISTINCT edit_id FROM phrase_block').pluck().all()).toEqual([edits])
    const found = await store.items({ scope: ALL, text: '"i3 edited"', limit: 5 })
    expect(found.map(({ title }) => title)).toEqual(['i3 edited'])
  })
})
