import { SHARDS } from '../../../src/cluster/shards.ts'
import type { PaperClaim } from '../experiment.ts'
import { roundToDigits } from '../traces/rounded.ts'
import { CONFIG } from './config.ts'
import { ratioOf, type SceneRun } from './measure.ts'
import type { UnitCosts } from './unit-costs.ts'

export function claimsOf(runs: readonly SceneRun[], heap: number, costs: UnitCosts): PaperClaim[] {
  return [delayClaim(runs), budgetClaim(runs), handOverClaim(runs), sampleClaim(runs), memoryClaim(heap, costs)]
}

function delayClaim(runs: readonly SceneRun[]): PaperClaim {
  const ratios = runs.map((run) => roundToDigits(ratioOf(run), 4))
  return {
    text: 'With members that come and go the delay is within 5 % of one scheduler',
    holds: ratios.every((ratio) => ratio <= CONFIG.mostDelay),
    figures: Object.fromEntries(runs.map(({ scene }, index) => [scene.name, ratios[index] ?? 0])),
  }
}

function budgetClaim(runs: readonly SceneRun[]): PaperClaim {
  const busiestHour = Math.max(...runs.map(({ crawlers }) => crawlers.busiestHour))
  const busiestDay = Math.max(...runs.map(({ crawlers }) => crawlers.busiestDay))
  return {
    text: "No day and no hour has more requests than the budget's",
    holds: busiestHour <= 1 && busiestDay <= 1,
    figures: { busiestHour: roundToDigits(busiestHour, 4), busiestDay: roundToDigits(busiestDay, 4) },
  }
}

/** Whoever goes or comes moves its own part of the shards, and hardly more. */
function handOverClaim(runs: readonly SceneRun[]): PaperClaim {
  const sum = (pick: (run: SceneRun) => number) => runs.reduce((total, run) => total + pick(run), 0)
  const lost = sum(({ crawlers }) => crawlers.handOvers.lost)
  const doubled = sum(({ crawlers }) => crawlers.handOvers.doubled)
  const tooSoon = sum(({ crawlers }) => crawlers.handOvers.tooSoon)
  const movedOfPart = Math.max(
    ...runs.map(
      ({ scene, crawlers: { handOvers } }) => (handOvers.shards * scene.crawlers) / (SHARDS * handOvers.changes),
    ),
  )
  return {
    text: 'No source is lost or has two owners, no site is asked too soon by its new owner, and only the part of who came or went moves',
    holds: lost === 0 && doubled === 0 && tooSoon === 0 && movedOfPart < 1.25,
    figures: { lost, doubled, tooSoon, movedOfPart: roundToDigits(movedOfPart, 3) },
  }
}

/** What is multiplied must not depend on how much was drawn. */
function sampleClaim(runs: readonly SceneRun[]): PaperClaim {
  const [large, small] = runs
  if (large === undefined || small === undefined) throw new Error('a run is missing')
  const apart = (pick: (run: SceneRun) => number) => roundToDigits(Math.abs(pick(small) / pick(large) - 1), 4)
  const figures = {
    delay: apart(({ crawlers }) => crawlers.delayMinutes),
    refreshes: apart(({ crawlers }) => crawlers.rows.refreshes),
    withNews: apart(({ crawlers }) => crawlers.rows.withNews),
    items: apart(({ crawlers }) => crawlers.rows.items),
  }
  return {
    text: 'Two samples, one four times as large, agree on delay and rows within 5 %',
    holds: Object.values(figures).every((value) => value <= CONFIG.mostApart),
    figures,
  }
}

function memoryClaim(heap: number, { crawler }: UnitCosts): PaperClaim {
  return {
    text: 'A source takes no more memory here than unit-costs.json says of a whole crawler',
    holds: heap > 0 && heap <= crawler.heapBytesPerSource * CONFIG.mostMemory,
    figures: { crawler: crawler.heapBytesPerSource },
  }
}
