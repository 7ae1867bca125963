import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parseFeed as parseWithFeedsmith } from 'feedsmith'
import { parseFeed } from '../src/crawler/parse/parse.ts'
import { entryAt } from '../src/model/entry-at.ts'
import type { ParsedItem } from '../src/model/index.ts'
import { type BenchDocument, corporaFolder, generatedDocuments, realDocuments } from './parse-documents.ts'
import { measureCost, median, roundToPrecision } from './rounds.ts'

export interface BenchParseOptions {
  readonly rounds?: number
  /** Folder with the corpora; default: ../shared/corpora. */
  readonly corpora?: string
  /** Documents read for the memory figure; default 10,000. */
  readonly documents?: number
}

const KB = 1024
const CLASSES = [
  { name: '2-5 KB', from: 2 * KB, to: 5 * KB, required: null },
  { name: '5-100 KB', from: 5 * KB, to: 100 * KB, required: 3 },
  { name: '100-200 KB', from: 100 * KB, to: 200 * KB, required: null },
  { name: '>200 KB', from: 200 * KB, to: Number.POSITIVE_INFINITY, required: 2 },
] as const

// Relative links are resolved only with an address, and the crawler always has one: so has the bench.
const OPTIONS = { url: 'https://example.org/feed.xml' }

/**
 * Documents per second of CPU time, from bytes (decoding included), beside feedsmith on the same documents in the same
 * run; and what 10,000 documents leave behind in memory.
 */
export async function benchParse(options: BenchParseOptions = {}): Promise<object> {
  const rounds = Math.max(5, options.rounds ?? 7)
  const folder = corporaFolder(options.corpora)
  const all = folder === null ? generatedDocuments() : realDocuments(folder)
  const both = all.filter(readByFeedsmith)
  const classes = []
  for (const size of CLASSES) {
    const documents = both.filter(({ bytes }) => bytes.length >= size.from && bytes.length < size.to)
    if (documents.length > 0) classes.push({ ...size, ...(await compare(documents, rounds)) })
  }
  return {
    bench: 'parse',
    documents: folder === null ? 'generated: ../shared/corpora is missing' : 'real, from ../shared/corpora',
    rounds,
    excluded: { count: all.length - both.length, why: 'feedsmith refuses them or they are no feeds' },
    classes: classes.map(({ from: _, to: __, ...figures }) => figures),
    memory: await measureMemory(both, options.documents ?? 10_000),
  }
}

function readByFeedsmith({ bytes }: BenchDocument): boolean {
  try {
    parseWithFeedsmith(bytes.toString('utf8'))
    return parseFeed(bytes).format !== 'unknown'
  } catch {
    return false
  }
}

interface ParserComparison {
  readonly documents: number
  readonly averageKb: number
  readonly docsPerSecond: number
  readonly feedsmithDocsPerSecond: number
  /** Median over the rounds of ours ÷ feedsmith in that round. */
  readonly ratio: number
}

async function compare(documents: readonly BenchDocument[], rounds: number): Promise<ParserComparison> {
  const ours = (): void => {
    for (const { bytes } of documents) parseFeed(bytes, OPTIONS)
  }
  const feedsmith = (): void => {
    for (const { bytes } of documents) parseWithFeedsmith(bytes.toString('utf8'))
  }
  // One of each to warm up, which also shows how many passes of ours take as long as one of feedsmith's.
  const repeats = await calibrate(ours, feedsmith)
  const samples: { ours: number; feedsmith: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const mine = await measureCost(async () => repeat(ours, repeats.ours))
    const theirs = await measureCost(async () => repeat(feedsmith, repeats.feedsmith))
    samples.push({
      ours: (1_000 * documents.length * repeats.ours) / mine.cpuMs,
      feedsmith: (1_000 * documents.length * repeats.feedsmith) / theirs.cpuMs,
    })
  }
  const bytes = documents.reduce((sum, document) => sum + document.bytes.length, 0)
  return {
    documents: documents.length,
    averageKb: roundToPrecision(bytes / documents.length / KB),
    docsPerSecond: roundToPrecision(median(samples.map((sample) => sample.ours))),
    feedsmithDocsPerSecond: roundToPrecision(median(samples.map((sample) => sample.feedsmith))),
    ratio: roundToPrecision(median(samples.map((sample) => sample.ours / sample.feedsmith))),
  }
}

const ROUND_MS = 150

async function calibrate(ours: () => void, feedsmith: () => void): Promise<{ ours: number; feedsmith: number }> {
  const passes = async (work: () => void): Promise<number> => {
    repeat(work, 2)
    const { cpuMs } = await measureCost(async () => work())
    return Math.max(1, Math.ceil(ROUND_MS / Math.max(cpuMs, 0.1)))
  }
  return { ours: await passes(ours), feedsmith: await passes(feedsmith) }
}

function repeat(work: () => void, times: number): void {
  for (let i = 0; i < times; i++) work()
}

/**
 * Heap after garbage collection while a title of each of the last documents is kept, as a crawler keeps windows: if a
 * title kept its document alive, the growth would be that of the documents.
 */
async function measureMemory(documents: readonly BenchDocument[], count: number): Promise<object> {
  const collectGarbage = garbageCollector()
  const retained: (ParsedItem | undefined)[] = []
  const readSome = (from: number, to: number): void => {
    for (let i = from; i < to; i++) {
      const { bytes } = entryAt(documents, i % documents.length)
      retained[i % KEPT] = parseFeed(bytes, OPTIONS).items[0]
    }
  }
  const warmUp = Math.min(count, 2 * KEPT)
  readSome(0, warmUp)
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  readSome(warmUp, count)
  collectGarbage()
  const after = process.memoryUsage().heapUsed
  return {
    documents: count,
    keptItems: Math.min(KEPT, count),
    heapBeforeMb: roundToPrecision(before / KB / KB),
    heapAfterMb: roundToPrecision(after / KB / KB),
    growthMb: roundToPrecision((after - before) / KB / KB),
  }
}

const KEPT = 1_000

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
