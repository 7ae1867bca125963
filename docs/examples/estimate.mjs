// What a source will publish, learnt from what refreshes saw of it: node docs/examples/estimate.mjs
import { ESTIMATORS } from 'headwater'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const start = Date.UTC(2024, 0, 1)

// A newsroom that posts six items between eight and nine in the morning, and is refreshed every hour for four weeks.
const estimator = ESTIMATORS.hybrid()
let state = estimator.start({ ratePerHour: 1, at: start })
let now = start
for (let hour = 1; hour <= 28 * 24; hour++) {
  const previousAt = now
  now += HOUR_MS
  const newItems = hour % 24 === 9 ? 6 : 0
  state = estimator.observe(state, {
    sourceId: 1,
    previousAt,
    at: now,
    newItems,
    windowSize: 20,
    overlap: hour === 1 ? 'first' : 'some',
    lostAtLeast: 0,
    itemTimes: Array.from({ length: newItems }, (_, k) => previousAt + k * 60_000),
    notModified: newItems === 0,
    bytes: 0,
    latencyMs: 0,
  })
}

const items = (fromHour, toHour) =>
  estimator.expected(state, now + fromHour * HOUR_MS, now + toHour * HOUR_MS).toFixed(1)
console.log(`today from 0 to 8: ${items(0, 8)} items expected`)
console.log(`today from 8 to 9: ${items(8, 9)}`)
console.log(`tomorrow as a whole: ${items(24, 48)}`)
const full = estimator.reaches(state, now, 20)
console.log(`its window of 20 is full after ${((full - now) / DAY_MS).toFixed(1)} days`)
