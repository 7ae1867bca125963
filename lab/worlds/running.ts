import type { Clock } from '../../src/runtime/clock.ts'
import type { HostCounters } from './counters.ts'
import type { FeedAnswerContext } from './feed-answer.ts'
import type { FeedSet } from './feed-set.ts'
import type { VirtualTime } from './virtual-time.ts'

/** What the parts of a running world share. */
export interface Running {
  readonly clock: Clock
  readonly time: VirtualTime
  readonly feeds: FeedSet
  readonly hosts: HostCounters
  readonly answer: FeedAnswerContext
  /** Aborts when the world ends, so that no slow answer outlives it. */
  readonly ending: AbortSignal
}
