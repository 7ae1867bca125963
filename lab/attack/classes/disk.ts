import { join } from 'node:path'
import { entryAt } from '../../../src/model/entry-at.ts'
import type { AttackClass, AttackEffort } from '../attack.ts'
import { archivedTitles, compareTitles, type GrowingFeeds, growingFeeds } from '../growing-feeds.ts'
import { mountSmallDisk, type SmallDisk } from '../small-disk.ts'
import { type AttackedNode, type AttackStage, NEAR } from '../stage.ts'

const FEEDS = 4
const DISK_MB = 64
/** What was under way may end; then nothing is requested. */
const WATCHED_MS = { short: 1_000, full: 3_000 } as const

export const disk: AttackClass = {
  name: 'disk',
  promise:
    'On a full or read-only disk nothing is fetched and everything is served, also after a start; with room it goes on by itself, and every item is there once',
  async run(stage, effort) {
    const own = mountSmallDisk(join(stage.folder, 'disk'), DISK_MB)
    if (typeof own === 'string') return { tries: 0, hits: [], skipped: [own] }
    try {
      return await attack(stage, own, effort)
    } finally {
      own.remove()
    }
  },
}

interface Attack {
  readonly stage: AttackStage
  readonly disk: SmallDisk
  readonly node: AttackedNode
  readonly feeds: GrowingFeeds
  readonly hits: string[]
  readonly watchedMs: number
  tries: number
}

/** In short: full under a running node and at a start. In full also after a kill, and read-only. */
async function attack(stage: AttackStage, own: SmallDisk, effort: AttackEffort) {
  const feeds = await growingFeeds(stage, FEEDS)
  const flags = [...NEAR, '--budget', '1200/min', '--min-interval', '100ms', '--host-concurrency', '8']
  const node = await stage.startNode({ flags, dataDir: join(own.path, 'data') })
  await feeds.follow(node, 1_000)
  const it: Attack = { stage, disk: own, node, feeds, hits: [], watchedMs: WATCHED_MS[effort], tries: 0 }
  await progress(it, 'before anything was done')
  await fillUp(it, effort)
  await progress(it, 'after room was made')
  const skipped = effort === 'full' ? await remounts(it) : []
  feeds.stop()
  await compare(it)
  return { tries: it.tries, hits: it.hits, figures: { items: feeds.titles().length }, skipped }
}

/** Under a running node, if the system lets us, and for a start. */
async function remounts(it: Attack): Promise<string[]> {
  const skipped: string[] = []
  if (it.disk.remount('ro')) {
    await without(it, 'DISK_READ_ONLY', 'a disk that became read-only')
    it.disk.remount('rw')
    await progress(it, 'after the disk could be written again')
  } else {
    skipped.push('read-only under a running node: the system does not remount while files are open for writing')
  }
  await it.node.stop()
  if (!it.disk.remount('ro')) {
    await it.node.start()
    return [...skipped, 'a start on a read-only disk: the system does not remount it']
  }
  await it.node.start()
  await without(it, 'DISK_READ_ONLY', 'a start on a read-only disk')
  it.disk.remount('rw')
  await progress(it, 'after the disk could be written again')
  return skipped
}

async function alarms({ node }: Attack): Promise<readonly string[]> {
  const { status, body } = await node.ask('GET', '/api/health')
  return status === 200 ? body.alarms.map(({ code }: { readonly code: string }) => code) : []
}

async function fillUp(it: Attack, effort: AttackEffort): Promise<void> {
  const { node, disk } = it
  disk.fill()
  await without(it, 'DISK_FULL', 'a full disk')
  if (effort === 'full') {
    for (const end of ['stop', 'kill'] as const) {
      await node[end]()
      await node.start()
      await without(it, 'DISK_FULL', `a start on a full disk after a ${end}`)
    }
  }
  await node.stop()
  await node.start()
  await without(it, 'DISK_FULL', 'a start on a full disk')
  disk.freeSpace()
}

/** An alarm is raised, nothing is requested, everything is served. */
async function without(it: Attack, code: string, when: string): Promise<void> {
  const { stage, node, feeds, hits } = it
  it.tries++
  if (!(await stage.eventually(async () => (await alarms(it)).includes(code), 60_000))) {
    hits.push(`${when}: no alarm ${code}`)
  }
  await stage.sleep(Math.min(1_000, it.watchedMs))
  const before = feeds.server.requests.length
  await stage.sleep(it.watchedMs)
  const wasted = feeds.server.requests.length - before
  if (wasted > 0) hits.push(`${when}: ${wasted} requests for what could not be stored`)
  await checkAnswers(it, code, when)
  if (!node.process.isRunning()) hits.push(`${when}: the node ended`)
}

async function checkAnswers({ node, hits }: Attack, code: string, when: string): Promise<void> {
  const metric = `headwater_alarm{code="${code}",severity="error"} 1`
  const paths = [
    ['/feeds/all.json', 'feed 0'],
    ['/', '<html'],
    ['/api/health', '"degraded"'],
  ] as const
  for (const [path, part] of paths) {
    const { status, text } = await node.ask('GET', path)
    if (status !== 200 || !text.includes(part)) hits.push(`${when}: ${path} answers ${status}`)
  }
  for (const path of ['/api/overview', '/api/sources', '/api/items?limit=20', '/metrics']) {
    const { status, text } = await node.owner.ask('GET', path)
    if (status !== 200) hits.push(`${when}: ${path} answers ${status}: ${text.slice(0, 200)}`)
    if (path === '/metrics' && !text.includes(metric)) hits.push(`${when}: no metric for ${code}`)
  }
}

/** Without anybody doing anything, items come and no alarm of the disk is raised. */
async function progress(it: Attack, when: string): Promise<void> {
  it.tries++
  const before = it.feeds.requestCounts.map((count) => count)
  const isFine = async () =>
    it.feeds.requestCounts.every((count, feed) => count > entryAt(before, feed) + 2) &&
    !(await alarms(it)).some((code) => ['DISK_FULL', 'DISK_READ_ONLY'].includes(code))
  if (!(await it.stage.eventually(isFine))) it.hits.push(`${when}: it does not go on`)
}

async function compare(it: Attack): Promise<void> {
  const expected = it.feeds.titles()
  const before = it.feeds.server.requests.length
  await it.stage.eventually(() => it.feeds.server.requests.length > before + 3 * FEEDS)
  await it.stage.eventually(async () => (await archivedTitles(it.node)).length >= expected.length, 30_000)
  it.hits.push(...compareTitles('the archive', expected, await archivedTitles(it.node)))
}
