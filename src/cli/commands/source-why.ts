import { HOUR_MS } from '../../model/index.ts'
import { rateAt } from '../../refresh/intensity.ts'
import type { Explanation } from '../../refresh/scheduler/scheduler.ts'
import type { PastDecision } from '../../store/scheduling.ts'
import { CAUSES } from '../causes.ts'
import { isoOrNull, relative } from '../output.ts'

/** Why a source is checked when it is, as lines of `source show`. */
export function whyLines(why: Explanation | null, now: number): [string, string | null][] {
  if (why === null) return []
  const { belief, expected, utility, worth, price, fullAt, counts } = why
  return [
    [
      'strategy',
      counts === null
        ? `${why.strategy} at price ${number(price)}${worth === null ? '' : ' item-hours (τ)'}`
        : why.strategy,
    ],
    ['counts', counts && countsInWords(counts)],
    ['model', belief && modelInWords(belief)],
    ['hours UTC', belief && belief.intensity.ratesPerHour.length > 1 ? slotsInWords(belief) : null],
    ['expected', expected === null ? null : `${number(expected)} new items by now`],
    [
      'utility',
      utility === null
        ? null
        : `${number(utility)} item-hours${worth === null ? '' : `: ${percent(worth)} of the price`}`,
    ],
    ['window full', fullAt === null ? null : relative(fullAt, now)],
  ]
}

function modelInWords({ model, intensity, details }: NonNullable<Explanation['belief']>): string {
  const rates = Array.from(intensity.ratesPerHour)
  const perDay = (24 * rates.reduce((sum, rate) => sum + rate, 0)) / rates.length
  const parts = Object.entries(details).map(
    ([name, value]) => `${name} ${typeof value === 'number' ? number(value) : value}`,
  )
  return [`${model}: ${number(perDay)} items a day`, ...parts].join(', ')
}

/** advaRSS: runs between two checks, runs without news at least, runs until the next check. */
function countsInWords(counts: NonNullable<Explanation['counts']>): string {
  return Object.entries(counts)
    .map(([name, value]) => `${name} ${number(value)}`)
    .join(', ')
}

/** Items an hour in each hour of the day, over all days of the period. */
function slotsInWords({ intensity }: NonNullable<Explanation['belief']>): string {
  const { periodMs, ratesPerHour } = intensity
  const hours = Math.max(24, Math.round(periodMs / HOUR_MS))
  const perHour = Array.from({ length: 24 }, (_, ofDay) => {
    let sum = 0
    for (let hour = ofDay; hour < hours; hour += 24) sum += (rateAt(intensity, (hour + 0.5) * HOUR_MS) * 24) / hours
    return sum
  })
  return ratesPerHour.length > 1 ? perHour.map(number).join(' ') : ''
}

export function decisionCells(decision: PastDecision, now: number): string[] {
  const { at, cause, expected, newItems, price } = decision
  return [relative(at, now), CAUSES[cause], expected === null ? '–' : number(expected), String(newItems), number(price)]
}

export const DECISION_COLUMNS = ['DECIDED', 'BECAUSE', 'EXPECTED', 'CAME', 'PRICE']

export function whyJson(why: Explanation | null): object | null {
  if (why === null) return null
  const { belief, nextAt, fullAt, ...rest } = why
  const model =
    belief === null
      ? null
      : {
          name: belief.model,
          periodHours: belief.intensity.periodMs / HOUR_MS,
          ratesPerHour: Array.from(belief.intensity.ratesPerHour),
          ...belief.details,
        }
  return { ...rest, nextCheckAt: isoOrNull(nextAt), windowFullAt: isoOrNull(fullAt), model }
}

function number(value: number): string {
  return value === 0 ? '0' : String(Number(value.toPrecision(3)))
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`
}
