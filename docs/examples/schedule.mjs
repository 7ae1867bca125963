// Which feed to fetch next within a budget, and why: node docs/examples/schedule.mjs
import { findStrategy, foresight, Scheduler } from 'headwater'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const start = Date.UTC(2024, 0, 1)
const end = start + 14 * DAY_MS

/** Every how many hours each of them publishes. */
const everyHours = new Map([
  [1, 1],
  [2, 12],
  [3, 240],
])

function fetchAll(strategy) {
  const scheduler = new Scheduler({
    strategy,
    budget: { requests: 24, perMs: DAY_MS },
    burst: 4,
    minIntervalMs: 10 * 60_000,
    random: () => 0.5,
    now: start,
  })
  for (const id of everyHours.keys()) {
    const facts = { id, weight: 1, cost: 1, windowSize: 20, addedAt: start, lastRefreshAt: null }
    scheduler.upsert({ facts, dueAt: null, paused: false, retired: false })
  }
  const counts = new Map()
  const last = new Map()
  for (let now = start; now < end; ) {
    const taken = scheduler.take(now)
    if (taken.kind === 'wait') {
      now = taken.until
      continue
    }
    const { id } = taken
    scheduler.plan(look(id, last.get(id) ?? null, now))
    scheduler.finish(id, null)
    counts.set(id, (counts.get(id) ?? 0) + 1)
    last.set(id, now)
  }
  console.log(`${strategy.id}: ${[...everyHours.keys()].map((id) => counts.get(id)).join(', ')} requests`)
  return scheduler
}

/** A real program fetches and parses here, and reports what was new. */
function look(id, previousAt, at) {
  const gapMs = everyHours.get(id) * HOUR_MS
  const itemTimes = []
  const since = previousAt ?? at - 20 * gapMs
  for (let t = Math.ceil(since / gapMs) * gapMs; t < at; t += gapMs) if (t > since) itemTimes.push(t)
  return {
    sourceId: id,
    previousAt,
    at,
    newItems: itemTimes.length,
    windowSize: 20,
    overlap: previousAt === null ? 'first' : itemTimes.length >= 20 ? 'none' : 'some',
    lostAtLeast: 0,
    itemTimes,
    notModified: itemTimes.length === 0,
    bytes: 0,
    latencyMs: 0,
  }
}

fetchAll(findStrategy('uniform').priced())
const scheduler = fetchAll(foresight())
for (const id of everyHours.keys()) console.log(`${id}: ${scheduler.explain(id, end).reason}`)
