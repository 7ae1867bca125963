import { entryAt } from '../../../src/model/entry-at.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { AttackClass } from '../attack.ts'
import { archivedTitles, compareTitles, type GrowingFeeds, growingFeeds } from '../growing-feeds.ts'
import { compareSchedules, scheduleBetween } from '../schedule.ts'
import { type AttackedNode, type AttackStage, NEAR } from '../stage.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const FEEDS = 4
const INTERVAL_MS = 1_000
const PER_MINUTE = 480
/** Requests after each jump that every feed must have. */
const GOES_ON = 3
/** Saved up within a second, and what is under way; a clock that earns budget would give thousands. */
const BURST = 2 * FEEDS + PER_MINUTE / 60

interface Jump {
  readonly offsetMs: number
  readonly over?: 'stop' | 'kill'
}

/** What the wall clock shows after each, against the real one. */
const SHORT: readonly Jump[] = [{ offsetMs: 400 * DAY_MS }, { offsetMs: 0 }, { offsetMs: -400 * DAY_MS, over: 'kill' }]
const FULL: readonly Jump[] = [
  { offsetMs: 400 * DAY_MS },
  { offsetMs: -400 * DAY_MS },
  { offsetMs: 400 * DAY_MS, over: 'stop' },
  { offsetMs: 0, over: 'kill' },
  { offsetMs: -400 * DAY_MS, over: 'kill' },
  { offsetMs: 0, over: 'stop' },
  { offsetMs: HOUR_MS },
  { offsetMs: -HOUR_MS },
  { offsetMs: 8 * DAY_MS },
  { offsetMs: 0 },
]

export const clock: AttackClass = {
  name: 'clock',
  promise:
    'Whichever way the wall clock is set, while the node runs or is stopped, crawling goes on, no budget is earned, and every item is there once',
  async run(stage, effort) {
    const jumps = effort === 'full' ? FULL : SHORT
    const feeds = await growingFeeds(stage, FEEDS)
    const flags = ['--budget', `${PER_MINUTE}/min`, '--min-interval', '500ms', '--strategy', 'uniform', '--burst', '8']
    const node = await stage.startNode({ flags: [...NEAR, ...flags], clockOffsetMs: 0 })
    await feeds.follow(node, INTERVAL_MS)
    await stage.eventually(() => feeds.requestCounts.every((count) => count > 1))
    const startMs = systemClock.monotonicMs()
    await onwards(stage, feeds)
    const usual = scheduleBetween(feeds.arrivalsMs, startMs, systemClock.monotonicMs())
    const hits: string[] = []
    const jumpedMs = systemClock.monotonicMs()
    let longestMs = 0
    for (const jump of jumps) longestMs = Math.max(longestMs, await survive(stage, node, feeds, jump, hits))
    const beside = scheduleBetween(feeds.arrivalsMs, jumpedMs, systemClock.monotonicMs())
    await compare(stage, node, feeds, hits)
    const figures = { longestUntilAllAskedMs: longestMs, ...compareSchedules(usual, beside) }
    return { tries: jumps.length, hits, figures }
  },
}

/** How long it took until every feed was requested again. */
async function survive(
  stage: AttackStage,
  node: AttackedNode,
  feeds: GrowingFeeds,
  { offsetMs, over }: Jump,
  hits: string[],
): Promise<number> {
  const when = `the clock is ${offsetMs / DAY_MS} days off${over === undefined ? '' : ` after a ${over}`}`
  if (over !== undefined) await node[over]()
  node.shiftClock(offsetMs)
  if (over !== undefined) await node.start()
  const fromMs = systemClock.monotonicMs()
  const before = feeds.requestCounts.map((count) => count)
  const isRequested = () => feeds.requestCounts.every((count, i) => count > entryAt(before, i))
  if (!(await stage.eventually(isRequested))) hits.push(`${when}: not every source is requested again`)
  const tookMs = Math.round(systemClock.monotonicMs() - fromMs)
  if (!(await onwards(stage, feeds))) hits.push(`${when}: crawling does not go on`)
  const spent = feeds.requestCounts.reduce((sum, count, i) => sum + count - entryAt(before, i), 0)
  const allowed = BURST + (PER_MINUTE * (systemClock.monotonicMs() - fromMs)) / 60_000
  if (spent > allowed) hits.push(`${when}: ${spent} requests where the budget has ${Math.round(allowed)}`)
  if (!node.process.isRunning()) hits.push(`${when}: the node ended`)
  return tookMs
}

function onwards(stage: AttackStage, feeds: GrowingFeeds): Promise<boolean> {
  const before = feeds.requestCounts.map((count) => count)
  return stage.eventually(() => feeds.requestCounts.every((count, i) => count >= entryAt(before, i) + GOES_ON))
}

async function compare(stage: AttackStage, node: AttackedNode, feeds: GrowingFeeds, hits: string[]): Promise<void> {
  feeds.stop()
  const expected = feeds.titles()
  await onwards(stage, feeds)
  await stage.eventually(async () => (await archivedTitles(node)).length >= expected.length, 60_000)
  hits.push(...compareTitles('the archive', expected, await archivedTitles(node)))
}
