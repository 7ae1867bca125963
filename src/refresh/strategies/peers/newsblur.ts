import { DAY_MS, type DurationMs, MINUTE_MS, type Observation, type Random } from '../../../model/index.ts'
import type { SourceFacts } from '../../strategy.ts'
import { intervalStrategy } from '../interval-policy.ts'
import { type ItemSpan, itemsInSpan, newestItem, withinSpan } from '../item-span.ts'

/** With the stories of the last 30 days. */
export interface NewsblurMemory extends ItemSpan {
  readonly intervalMs: DurationMs
  readonly lastItemAt: number | null
}

const MONTH_MS = 30 * DAY_MS

/** Minutes for feeds with at least a story a day, factor for those with fewer, minutes per idle month. */
interface Steps {
  readonly busy: number
  readonly some: number
  readonly idle: number
}

// Subscribers decide the row. A weight of 1 is one subscriber.
const MANY: Steps = { busy: 6, some: 60, idle: 360 }
const SEVERAL: Steps = { busy: 15, some: 60, idle: 720 }
const ONE: Steps = { busy: 45, some: 360, idle: 1_440 }

/** NewsBlur: by stories per day s and subscribers; up to a quarter more at random. */
export const newsblur = intervalStrategy<NewsblurMemory>({
  id: 'newsblur',
  start: () => ({ intervalMs: 45 * MINUTE_MS, times: [], earlier: [], dropped: 0, lastItemAt: null }),
  observe(memory, observation, facts, random) {
    const span = withinSpan(memory, observation, MONTH_MS)
    const { times, earlier = [], dropped = 0 } = span
    const lastItemAt = newestItem(span) ?? memory.lastItemAt
    const interval = intervalMs(itemsInSpan(span) / 30, lastItemAt, observation, facts, random)
    return { intervalMs: interval, times, earlier, dropped, lastItemAt }
  },
  usualMs: 60 * MINUTE_MS,
  because: 'by stories per day and subscribers',
})

function intervalMs(
  storiesPerDay: number,
  lastItemAt: number | null,
  observation: Observation,
  facts: SourceFacts,
  random: Random,
): DurationMs {
  const steps = facts.weight >= 10 ? MANY : facts.weight > 1 ? SEVERAL : ONE
  const minutes = minutesFor(steps, storiesPerDay, observation.at - (lastItemAt ?? facts.addedAt))
  return minutes * MINUTE_MS * (1 + random() / 4)
}

function minutesFor(steps: Steps, storiesPerDay: number, idleMs: number): number {
  if (storiesPerDay >= 1) return steps.busy
  // 60·(1 − s) falls to 0 as s nears 1; below the interval of a busy feed it makes no sense.
  if (storiesPerDay > 0) return Math.max(steps.busy, steps.some * (1 - storiesPerDay))
  return steps.idle * Math.max(1, Math.floor(idleMs / MONTH_MS))
}
