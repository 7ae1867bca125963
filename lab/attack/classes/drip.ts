import type { ServerResponse } from 'node:http'
import { entryAt } from '../../../src/model/entry-at.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { AttackClass } from '../attack.ts'
import { opmlOfUrls, rss } from '../documents.ts'
import { archivedTitles, compareTitles, type GrowingFeeds, growingFeeds } from '../growing-feeds.ts'
import { compareSchedules, scheduleBetween } from '../schedule.ts'
import { type AttackedNode, type AttackStage, NEAR } from '../stage.ts'

interface Size {
  readonly hosts: number
  readonly concurrency: number
  readonly usualMs: number
  readonly watchedMs: number
}

const SIZES = {
  short: { hosts: 16, concurrency: 8, usualMs: 4_000, watchedMs: 5_000 },
  full: { hosts: 64, concurrency: 32, usualMs: 10_000, watchedMs: 70_000 },
} as const satisfies Record<string, Size>

const DRIP_MS = 57_000
const STEP_MS = 500
/** Bytes of the two kinds of documents: one comes below the least rate and is cut off, one above it and is read. */
const KIND_BYTES = [2_000, 16_000] as const
const OTHERS = 4
const INTERVAL_MS = 1_000
/** Unknown hosts hold their places until they have proved slow, one wave after the other. */
const LEARNT_FOR_MS = 3_000
/** Of the requests that other sources usually have. */
const LEAST_SHARE = 0.5
/** An end and the next beginning may be seen in either order; as many looks in a row are no accident. */
const LOOKS = 5

export const dripAttack: AttackClass = {
  name: 'drip',
  promise:
    'Hosts that send their feeds drop by drop hold a quarter of the places, and other sources keep their schedule',
  async run(stage, effort) {
    const size: Size = SIZES[effort]
    const dripping = new Set<ServerResponse>()
    const urls = await drippingHosts(stage, size.hosts, dripping)
    const others = await growingFeeds(stage, OTHERS)
    const flags = ['--concurrency', String(size.concurrency), '--budget', '6000/min', '--min-interval', '500ms']
    const node = await stage.startNode({ flags: [...NEAR, ...flags, '--strategy', 'uniform'] })
    await others.follow(node, INTERVAL_MS)
    await stage.eventually(() => others.requestCounts.every((count) => count > 1))
    const usualFrom = systemClock.monotonicMs()
    await stage.sleep(size.usualMs)
    const from = systemClock.monotonicMs()
    const headers = { 'content-type': 'text/x-opml' }
    await node.owner.must('POST', '/api/opml', undefined, { body: opmlOfUrls(urls), headers })
    const hits: string[] = []
    await stage.eventually(() => dripping.size > 0)
    if (!(await areLearnt(stage, dripping, size))) hits.push('slow hosts hold more than a quarter of the places')
    const learntFrom = systemClock.monotonicMs()
    const mostDripping = await watchSlots(stage, dripping, size, hits)
    const end = systemClock.monotonicMs()
    const usual = scheduleBetween(others.arrivalsMs, usualFrom, from)
    const first = scheduleBetween(others.arrivalsMs, from, learntFrom)
    const beside = scheduleBetween(others.arrivalsMs, learntFrom, end)
    if (beside.perMinute < LEAST_SHARE * usual.perMinute)
      hits.push(`others have ${beside.perMinute} requests a minute instead of ${usual.perMinute}`)
    const slow = await slowSources(node)
    if (slow.length === 0) hits.push('no source shows that its host is slow')
    const read = slow.filter(({ hasItems }) => hasItems).length
    if (effort === 'full' && read === 0) hits.push('no slow feed was read to its end')
    await compare(stage, node, others, hits)
    const learning = { learntAfterSeconds: (learntFrom - from) / 1_000, longestGapWhileLearningMs: first.longestGapMs }
    const figures = { mostDripping, slowSources: slow.length, slowRead: read, ...learning }
    return { tries: size.hosts, hits, figures: { ...figures, ...compareSchedules(usual, beside) } }
  },
}

async function drippingHosts(
  stage: AttackStage,
  count: number,
  dripping: Set<ServerResponse>,
): Promise<readonly string[]> {
  const urls: string[] = []
  for (let i = 0; i < count; i++) {
    const bytes = entryAt(KIND_BYTES, i % KIND_BYTES.length)
    const document = rss(`drip ${i}`, [{ id: `drip ${i}`, html: 'drop '.repeat(bytes / 5) }])
    const host = process.platform === 'linux' ? `127.0.4.${1 + i}` : '127.0.0.1'
    const server = await stage.startServer((_request, response) => dripOut(response, document, dripping), host)
    urls.push(server.url('/drip'))
  }
  return urls
}

function dripOut(response: ServerResponse, document: string, dripping: Set<ServerResponse>): void {
  const drop = Math.ceil(document.length / (DRIP_MS / STEP_MS))
  let sent = 0
  dripping.add(response)
  response.writeHead(200, { 'content-type': 'application/xml' })
  const timer = setInterval(() => {
    response.write(document.slice(sent, sent + drop))
    sent += drop
    if (sent >= document.length) response.end()
  }, STEP_MS)
  response.on('close', () => {
    clearInterval(timer)
    dripping.delete(response)
  })
}

function allowedOf({ concurrency }: Size): number {
  return Math.max(1, Math.floor(concurrency / 4))
}

/** For some seconds no more than a quarter was held. */
function areLearnt(stage: AttackStage, dripping: ReadonlySet<unknown>, size: Size): Promise<boolean> {
  let sinceMs = systemClock.monotonicMs()
  return stage.eventually(() => {
    const nowMs = systemClock.monotonicMs()
    if (dripping.size > allowedOf(size)) sinceMs = nowMs
    return nowMs - sinceMs > LEARNT_FOR_MS
  }, 60_000)
}

/** How many are held at most, for longer than a moment. */
async function watchSlots(
  stage: AttackStage,
  dripping: ReadonlySet<unknown>,
  size: Size,
  hits: string[],
): Promise<number> {
  const { concurrency, watchedMs } = size
  const endMs = systemClock.monotonicMs() + watchedMs
  const looks: number[] = []
  while (systemClock.monotonicMs() < endMs) {
    looks.push(dripping.size)
    await stage.sleep(100)
  }
  const busySlots = looks.map((_, i) => Math.min(...looks.slice(i, i + LOOKS))).slice(0, -LOOKS)
  const most = Math.max(...busySlots)
  if (most > allowedOf(size)) hits.push(`slow hosts hold ${most} of ${concurrency} places`)
  return most
}

async function slowSources(node: AttackedNode): Promise<readonly { readonly hasItems: boolean }[]> {
  const { sources } = await node.owner.must('GET', '/api/sources?limit=1000')
  const slow: { hasItems: boolean }[] = []
  for (const { id, url } of sources) {
    if (!url.endsWith('/drip')) continue
    const { slowHostMs, items } = await node.owner.must('GET', `/api/sources/${id}`)
    if (slowHostMs !== null) slow.push({ hasItems: items > 0 })
  }
  return slow
}

async function compare(stage: AttackStage, node: AttackedNode, others: GrowingFeeds, hits: string[]): Promise<void> {
  others.stop()
  const expected = others.titles()
  const before = others.requestCounts.map((count) => count)
  await stage.eventually(() => others.requestCounts.every((count, i) => count > entryAt(before, i) + 1))
  const found = async () => (await archivedTitles(node)).filter((title) => title.startsWith('feed '))
  await stage.eventually(async () => (await found()).length >= expected.length, 60_000)
  hits.push(...compareTitles('the archive', expected, await found()))
}
