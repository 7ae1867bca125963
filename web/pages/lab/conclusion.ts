import type { LabResult } from '../../../src/api/operations/wire.ts'
import { durationWords, figure, percent } from '../../format/words.ts'

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
  if (best === undefined) return 'Too little was published in this time to tell the strategies apart.'
  const at = `At ${figure(best.requestsPerMinute)} requests a minute`
  if (second === undefined)
    return `${at}, ${best.strategy} would be ${durationWords(best.meanDelayMs)} late on average.`
  const last = ranked.at(-1) ?? second
  return `${at}, ${best.strategy} is best: ${durationWords(best.meanDelayMs)} late on average, ${last.strategy} ${timesWords(best, last)}.${completenessWords(best, last)}`
}

function timesWords(best: Judged, last: Judged): string {
  const times = last.meanDelayMs / Math.max(1, best.meanDelayMs)
  const late = durationWords(last.meanDelayMs)
  return times >= 1.05 ? `${late}, ${figure(Number(times.toPrecision(2)))} times as much` : `${late}, hardly more`
}

function completenessWords(best: Point, last: Point): string {
  if (best.completeness === null || last.completeness === null || best.completeness === last.completeness) return ''
  return ` Of all items they would have got ${percent(best.completeness)} and ${percent(last.completeness)}.`
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
