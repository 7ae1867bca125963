// Strategies beside each other on the same feeds, in virtual time: node docs/examples/simulate.mjs
import { findStrategy, foresight } from 'headwater'
import { countWorldItems, runScheduled, seededRandom, specWorld, Tally } from 'headwater/lab'

const DAY_MS = 86_400_000
const startMs = Date.UTC(2024, 0, 1)
const endMs = startMs + 28 * DAY_MS

const world = specWorld(
  [
    { kind: 'poisson', ratePerDay: 2 },
    { kind: 'waves', ratePerDay: 40, peakHour: 12 },
    { kind: 'peaks', ratePerDay: 20, hours: [7, 19] },
  ],
  { startMs, endMs },
  { windowSize: 20, seed: 1 },
)
console.log(`${world.sources.length} feeds, ${countWorldItems(world)} items in four weeks`)

for (const strategy of [findStrategy('uniform').priced(), foresight()]) {
  // The last three weeks count: the first is for learning.
  const tally = new Tally(startMs + 7 * DAY_MS, endMs)
  const budget = { requests: 24, perMs: DAY_MS }
  runScheduled(
    { world, scheduler: { strategy, budget, burst: 12, minIntervalMs: 60_000, random: seededRandom(1) } },
    tally,
  )
  const minutes = Math.round(tally.meanDelayMs / 60_000)
  console.log(`${strategy.id}: ${tally.requests} requests, ${minutes} min of delay, ${tally.lost} items lost`)
}
