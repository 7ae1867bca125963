import type { Data } from '../../src/app/data/data.ts'
import type { Demo } from '../../src/cli/commands/serve.ts'
import { DAY_MS, type DurationMs, HOUR_MS, type InstantMs } from '../../src/model/index.ts'
import { runLive } from '../live/run-live.ts'
import { VirtualClock } from '../live/virtual-clock.ts'
import { demoFaultAt, demoPlans } from '../worlds/demo.ts'
import { FeedSet } from '../worlds/feed-set.ts'
import { virtualTime } from '../worlds/virtual-time.ts'
import { type VisitedFeed, worldFetcher } from './world-fetcher.ts'

export const DEMO_SEED = 7
const DEMO_BUDGET = '20/h'
export const PAST_MS: DurationMs = 21 * DAY_MS
/** The past is made once, when the package is built, and ends here; a demo moves it to the day on which it begins. */
export const MADE_UNTIL: InstantMs = Date.UTC(2026, 10, 16)
/** The first day after it is made, too, in stages: a demo that begins in the evening need not live through all of it. */
export const STAGE_MS: DurationMs = 3 * HOUR_MS
export const STAGES = DAY_MS / STAGE_MS
/** Refreshes that share a commit. */
const WRITES_TOGETHER = 64

interface DemoStretch {
  readonly from: InstantMs
  readonly to: InstantMs
  /** From the time of the world to that of the node. */
  readonly shiftMs: DurationMs
  /** The node's moment up to which troubles are counted back. */
  readonly troubleUntil: InstantMs
}

/**
 * A stretch of the life of a demo node: the real crawler, scheduler, parser and store in virtual time, over the documents that
 * the world would have sent.
 */
export async function live(
  open: (clock: VirtualClock) => Promise<Data>,
  sources: Demo['sources'],
  stretch: DemoStretch,
  port: number,
): Promise<void> {
  const clock = new VirtualClock(stretch.from)
  const data = await open(clock)
  try {
    await runLive({
      clock,
      data,
      fetcher: worldFetcher(demoFeeds(clock, stretch, port), () => clock.now(), stretch.shiftMs),
      urls: sources.map(({ url }) => url),
      settingsOf: (index) => ({ name: sources[index]?.name ?? null, categories: sources[index]?.categories ?? [] }),
      endMs: stretch.to,
      seed: DEMO_SEED,
      flags: { budget: DEMO_BUDGET, afterLoss: 'sooner', checkpoint: '1d' },
      writesUnderWay: WRITES_TOGETHER,
    })
  } finally {
    await data.store.close()
  }
}

/** The feeds of the demo's world, without its server. */
export function demoFeeds(
  clock: Pick<VirtualClock, 'now' | 'sleep' | 'monotonicMs'>,
  { from, shiftMs, troubleUntil }: Pick<DemoStretch, 'from' | 'shiftMs' | 'troubleUntil'>,
  port: number,
): readonly VisitedFeed[] {
  const time = virtualTime({ clock, speed: 1, startAt: from - shiftMs, realStartAt: from, dates: 'real' })
  const feeds = new FeedSet({ feeds: demoPlans(), seed: DEMO_SEED }, time, () => port)
  return [...feeds.all()].map(({ feed }) => ({ feed, faultAt: (at) => demoFaultAt(feed.plan, at, troubleUntil) }))
}
