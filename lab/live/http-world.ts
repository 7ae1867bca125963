import type { Clock } from '../../src/runtime/clock.ts'
import type { SimWorld } from '../simulator/world.ts'
import { CLEAN_HABITS, type FeedPlan } from '../worlds/feed-plan.ts'
import { startWorld, type World } from '../worlds/server.ts'

/** The feeds of a simulated world on loopback, over real HTTP, at the time of a clock. */
export function serveWorld({ sources }: SimWorld, clock: Clock): Promise<World> {
  const feeds = sources.map(
    ({ times, windowSize, name }): FeedPlan => ({
      title: name,
      category: null,
      publication: { kind: 'times', times },
      windowItems: windowSize,
      habits: CLEAN_HABITS,
      fault: null,
      headlines: null,
    }),
  )
  return startWorld({ feeds, clock, speed: 1, startAt: clock.now(), realStartAt: clock.now(), dates: 'virtual' })
}
