import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { parseFeed } from '../src/crawler/parse/parse.ts'
import type { Source } from '../src/model/index.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { createMemoryStore } from '../src/store/memory/index.ts'
import { type BenchChild, startChild } from './child-process.ts'
import { median } from './rounds.ts'
import { startController } from './terminals-controller.ts'
import { openLink, type TerminalReport } from './terminals-link.ts'
import { addFeedSources } from './terminals-store.ts'
import { feedDocument, guidOf, itemCountBy, latencyOf, type TerminalsWorld } from './terminals-world.ts'

const WORLD: TerminalsWorld = {
  seed: 3,
  feeds: 50,
  windowItems: 20,
  changedShare: 0.3,
  touchedShare: 0.3,
  sameTitleShare: 0,
  latencyMedianMs: 100,
}

describe('the sites of bench terminals', () => {
  const idsIn = (feed: number, round: number) =>
    parseFeed(Buffer.from(feedDocument(WORLD, feed, round))).items.map(({ id }) => id)

  it('show what they have published, newest first, each item the same for ever', () => {
    for (let feed = 0; feed < WORLD.feeds; feed++) {
      for (let round = 0; round < 5; round++) {
        const count = itemCountBy(WORLD, feed, round)
        expect(idsIn(feed, round)).toEqual(Array.from({ length: 20 }, (_, at) => guidOf(feed, count - 1 - at)))
      }
    }
  })

  it('have news, another document without news, or the same document, each about as often as said', () => {
    const counts = { news: 0, touched: 0, same: 0 }
    for (let feed = 0; feed < 1_000; feed++) {
      const hasNews = itemCountBy(WORLD, feed, 2) > itemCountBy(WORLD, feed, 1)
      const isSame = feedDocument(WORLD, feed, 2) === feedDocument(WORLD, feed, 1)
      counts[hasNews ? 'news' : isSame ? 'same' : 'touched']++
    }
    expect(Math.abs(counts.news - 300)).toBeLessThan(60)
    expect(Math.abs(counts.touched - 210)).toBeLessThan(60)
    expect(Math.abs(counts.same - 490)).toBeLessThan(60)
  })

  it('take as long as said, and a few much longer', () => {
    const latencies = Array.from({ length: 10_000 }, (_, feed) => latencyOf(WORLD, feed, 1)).sort((a, b) => a - b)
    expect(median(latencies)).toBeGreaterThan(95)
    expect(median(latencies)).toBeLessThan(105)
    // e^(0.8 × 2.326) = 6.4 times the median.
    expect(latencies[9_900]).toBeGreaterThan(550)
    expect(latencies[9_900]).toBeLessThan(750)
  })
})

describe('a link between terminal and controller', () => {
  it('brings every message whole, wherever the network cuts', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    const texts = fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 40 }), async (messages, piece) => {
        const connected: Promise<Socket[]> = once(server, 'connection')
        const sender = connect(port, '127.0.0.1').setNoDelay(true)
        const [receiver] = await connected
        const received: string[] = []
        const ended = once(receiver as Socket, 'close')
        openLink<string, never>(receiver as Socket, (message) => received.push(message))
        const bytes = Buffer.from(messages.map((text) => `${JSON.stringify(text)}\n`).join(''))
        for (let at = 0; at < bytes.length; at += piece) sender.write(bytes.subarray(at, at + piece))
        sender.end()
        await ended
        expect(received).toEqual(messages)
      }),
      { numRuns: 30, examples: [[['a\u2028b\n', 'c'], 3]] },
    )
    server.close()
  })
})

describe('a terminal with checks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-terminals-test-'))
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
    rmSync(folder, { recursive: true })
  })

  it('hands over again what was not stored, and then nothing more', async () => {
    const sites: BenchChild<{ readonly port: number }, object> = await startChild('terminals-world.child', [
      JSON.stringify(WORLD),
    ])
    closing.push(() => sites.close())
    const controller = await startController(2, folder)
    closing.push(() => controller.close())
    const { store } = createMemoryStore({ clock: systemClock })
    const [source] = (await addFeedSources(store, [`http://feed-7.localhost:${sites.hello.port}/`])) as [Source]
    const [first, second] = controller.terminals
    const lost = new Error('the database is away')
    const statements = () => ({ lookUps: 0, records: 0 })
    await expect(first?.refresh(source, true, { record: () => Promise.reject(lost), statements })).rejects.toBe(lost)

    const reports: TerminalReport[] = []
    const record = async (_source: Source, report: TerminalReport) => void reports.push(report)
    await second?.refresh(source, true, { record, statements })
    await first?.refresh(source, true, { record, statements })
    expect(reports).toMatchObject([{ kind: 'articles', windowSize: 20 }, { kind: 'unchanged' }])
    expect(reports[0]).toMatchObject({ items: { length: 20 } })
  })
})
