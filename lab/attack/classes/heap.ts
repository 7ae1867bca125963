import { entryAt } from '../../../src/model/entry-at.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { AttackClass } from '../attack.ts'
import { opmlOfUrls } from '../documents.ts'
import { archivedTitles, compareTitles, type GrowingFeeds, growingFeeds } from '../growing-feeds.ts'
import { LARGE_DOCUMENTS, type LargeDocument } from '../large-documents.ts'
import { compareSchedules, scheduleBetween } from '../schedule.ts'
import { type AttackedNode, type AttackStage, NEAR } from '../stage.ts'

const MIB = 1024 ** 2
const HEAP_MB = 96
const HOSTILE = 32
/** The largest that is sent, one that so small a heap does not take either, and about the largest that it takes. */
const SIZES_MIB = { short: [3], full: [15, 7, 3.5] } as const
const OTHERS = 4
const INTERVAL_MS = 2_000
const FLAGS = [...NEAR, '--budget', '6000/min', '--min-interval', '1s', '--strategy', 'uniform']

export const heap: AttackClass = {
  name: 'heap',
  promise: `With ${HEAP_MB} MB of heap and ${HOSTILE} feeds of 15 MiB at once the node lives and serves, and other sources are refreshed, each item once`,
  async run(stage, effort) {
    const rounds = SIZES_MIB[effort]
    const hostile = await hostileFeeds(stage)
    hostile.grow(entryAt(rounds, 0) * MIB)
    const others = await growingFeeds(stage, OTHERS)
    const node = await stage.startNode({ flags: FLAGS, nodeArgs: [`--max-old-space-size=${HEAP_MB}`] })
    await others.follow(node, INTERVAL_MS)
    const usual = await usualSchedule(stage, others)
    const hits: string[] = []
    const startMs = systemClock.monotonicMs()
    const headers = { 'content-type': 'text/x-opml' }
    await node.owner.must('POST', '/api/opml', undefined, { body: opmlOfUrls(hostile.urls), headers })
    const reader = readers(stage, node, hits)
    for (const [round, mib] of rounds.entries()) {
      if (round > 0) hostile.grow(mib * MIB)
      if (node.process.isRunning()) await lookAtAll(stage, node, round, hits)
    }
    const requestsBefore = others.requestCounts.map((count) => count)
    const goesOn = () =>
      !node.process.isRunning() || others.requestCounts.every((count, i) => count > entryAt(requestsBefore, i) + 1)
    if (!(await stage.eventually(goesOn))) hits.push('other sources are no longer refreshed')
    const endMs = systemClock.monotonicMs()
    await reader.stop()
    const tries = HOSTILE * rounds.length
    if (!node.process.isRunning()) return { tries, hits: [`the node ended: ${node.process.output().slice(-600)}`] }
    others.stop()
    await compare(stage, node, others, hits)
    const peakMib = node.process.peakBytes() / MIB
    const beside = scheduleBetween(others.arrivalsMs, startMs, endMs)
    return { tries, hits, figures: { peakMib, seconds: (endMs - startMs) / 1_000, ...compareSchedules(usual, beside) } }
  },
}

/** Each on a host of its own. Every answer differs from the one before, or it would not be read. */
async function hostileFeeds(stage: AttackStage) {
  let documents: readonly LargeDocument[] = []
  let requests = 0
  const urls: string[] = []
  for (let i = 0; i < HOSTILE; i++) {
    const server = await stage.startServer((_request, response) => {
      const { type, body } = entryAt(documents, i % documents.length)
      response.writeHead(200, { 'content-type': type })
      response.write(' '.repeat(1 + (requests++ % 500)))
      response.end(body)
    }, hostOf(i))
    urls.push(server.url('/hostile'))
  }
  const grow = (bytes: number) => {
    documents = LARGE_DOCUMENTS.map((make) => make(bytes))
  }
  return { urls, grow }
}

/** All of 127.0.0.0/8 is this machine, where the system has it so. */
function hostOf(i: number): string {
  return process.platform === 'linux' ? `127.0.3.${1 + i}` : '127.0.0.1'
}

async function usualSchedule(stage: AttackStage, others: GrowingFeeds) {
  await stage.eventually(() => others.requestCounts.every((count) => count > 1))
  const startMs = systemClock.monotonicMs()
  const before = others.requestCounts.map((count) => count)
  await stage.eventually(() => others.requestCounts.every((count, i) => count >= entryAt(before, i) + 3))
  return scheduleBetween(others.arrivalsMs, startMs, systemClock.monotonicMs())
}

/** Requests all hostile sources at once. Each must be refreshed, whatever the result is. */
async function lookAtAll(stage: AttackStage, node: AttackedNode, round: number, hits: string[]): Promise<void> {
  const from = round === 0 ? 0 : systemClock.now()
  const { sources } = await node.owner.must('GET', '/api/sources?limit=1000')
  const ids = sources.filter(({ url }: { url: string }) => url.endsWith('/hostile')).map(({ id }: { id: number }) => id)
  if (round > 0) for (const id of ids) await node.owner.ask('POST', `/api/sources/${id}/refresh`)
  const areChecked = async () => {
    const { body } = await node.owner.ask('GET', '/api/sources?limit=1000')
    const all = (body?.sources ?? []).filter(({ id }: { id: number }) => ids.includes(id))
    return (
      all.length === HOSTILE &&
      all.every(({ lastCheckAt }: { lastCheckAt: number | null }) => (lastCheckAt ?? 0) > from)
    )
  }
  const isOver = await stage.eventually(async () => !node.process.isRunning() || (await areChecked()), 300_000)
  if (!isOver) hits.push('not all hostile sources were refreshed')
}

/** Somebody reads all the time. */
function readers(stage: AttackStage, node: AttackedNode, hits: string[]) {
  let isOver = false
  const reading = (async () => {
    while (!isOver && node.process.isRunning()) {
      for (const path of ['/feeds/all.rss', '/health']) {
        const { status, text } = await node.ask('GET', path)
        if (status !== 200 && node.process.isRunning()) hits.push(`${path} answers ${status}: ${text.slice(0, 80)}`)
      }
      await stage.sleep(200)
    }
  })()
  return {
    stop: () => {
      isOver = true
      return reading
    },
  }
}

async function compare(stage: AttackStage, node: AttackedNode, others: GrowingFeeds, hits: string[]): Promise<void> {
  const expected = others.titles()
  const before = others.requestCounts.map((count) => count)
  await stage.eventually(() => others.requestCounts.every((count, i) => count > entryAt(before, i) + 1))
  const found = async () =>
    (await archivedTitles(node, '&text=feed')).filter((title) => /^feed \d+ item \d+$/.test(title))
  await stage.eventually(async () => (await found()).length >= expected.length, 60_000)
  hits.push(...compareTitles('the archive', expected, await found()))
}
