import type { LabResult } from '../../../src/api/operations/wire.ts'
import { durationWords } from '../../format/words.ts'
import { figure, percent } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { MINUTES_A_DAY } from './budgets.ts'

type Point = LabResult['points'][number]
type Judged = Point & { readonly meanDelayMs: number }

/** What a comparison says, before any curve: who is best at about the budget of this node, and by how much. */
export function conclusionOf({ points, node }: LabResult): string {
  const judged = points.filter((point): point is Judged => point.meanDelayMs !== null)
  const budget = nearest(
    judged.map(({ requestsPerMinute }) => requestsPerMinute),
    node.requestsPerMinute,
  )
  const ranked = judged
    .filter(({ requestsPerMinute }) => requestsPerMinute === budget)
    .sort((a, b) => a.meanDelayMs - b.meanDelayMs)
  const [best, second] = ranked
  if (best === undefined) return t.lab.tooLittle
  const at = t.lab.atBudget({ requests: best.requestsPerMinute * MINUTES_A_DAY })
  if (second === undefined)
    return t.lab.wouldBe({ at, strategy: best.strategy, delay: durationWords(best.meanDelayMs) })
  const last = ranked.at(-1) ?? second
  return t.lab.isBest({
    at,
    best: best.strategy,
    delay: durationWords(best.meanDelayMs),
    last: last.strategy,
    times: timesWords(best, last),
    complete: completenessWords(best, last),
  })
}

function timesWords(best: Judged, last: Judged): string {
  const times = last.meanDelayMs / Math.max(1, best.meanDelayMs)
  const late = durationWords(last.meanDelayMs)
  return times >= 1.05
    ? t.lab.timesAsMuch({ late, times: figure(Number(times.toPrecision(2))) })
    : t.lab.hardlyMore({ late })
}

function completenessWords(best: Point, last: Point): string {
  if (best.completeness === null || last.completeness === null || best.completeness === last.completeness) return ''
  return t.lab.ofAllItems({ best: percent(best.completeness), last: percent(last.completeness) })
}

/** By ratio: budgets differ in factors. */
function nearest(budgets: readonly number[], wanted: number): number | null {
  let found: number | null = null
  for (const one of budgets) {
    const away = (budget: number) => Math.abs(Math.log(budget / Math.max(wanted, Number.MIN_VALUE)))
    if (found === null || away(one) < away(found)) found = one
  }
  return found
}
