import type { Clock } from '../../src/runtime/clock.ts'
import type { HostCounters } from './counters.ts'
import type { FeedAnswerContext } from './feed-answer.ts'
import type { FeedSet } from './feed-set.ts'
import type { VirtualTime } from './virtual-time.ts'
import type { WorldOptions } from './world.ts'

/** What the parts of a running world share. */
export interface Running {
  readonly clock: Clock
  readonly time: VirtualTime
  readonly feeds: FeedSet
  readonly hosts: HostCounters
  readonly answer: FeedAnswerContext
  readonly articles: NonNullable<WorldOptions['articles']> | null
  /** Aborts when the world ends, so that no slow answer outlives it. */
  readonly ending: AbortSignal
}
