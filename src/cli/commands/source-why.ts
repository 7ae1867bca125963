import { HOUR_MS } from '../../model/index.ts'
import type { Explanation } from '../../refresh/scheduler/scheduler.ts'
import type { PastDecision } from '../../store/scheduling.ts'
import { isoOrNull, relative } from '../output.ts'

const CAUSES: Readonly<Record<PastDecision['cause'], string>> = {
  new: 'new: first look',
  asked: 'asked for',
  full: 'its window was believed full',
  worth: 'what waited was worth the price',
  time: 'its time had come',
  learning: 'its turn in learning',
}

/** Why a source is checked when it is, as lines of `source show`. */
export function whyLines(why: Explanation | null, now: number): [string, string | null][] {
  if (why === null) return []
  const { belief, expected, utility, worth, price, fullAt } = why
  return [
    ['strategy', `${why.strategy} at price ${number(price)}${belief ? ' item-hours (τ)' : ''}`],
    ['model', belief && modelInWords(belief)],
    ['hours UTC', belief && belief.intensity.ratesPerHour.length > 1 ? slotsInWords(belief) : null],
    ['expected', expected === null ? null : `${number(expected)} new items by now`],
    ['utility', utility === null ? null : `${number(utility)} item-hours: ${percent(worth)} of the price`],
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

/** Items an hour in each slot of the period. */
function slotsInWords({ intensity }: NonNullable<Explanation['belief']>): string {
  return Array.from(intensity.ratesPerHour, number).join(' ')
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

function percent(share: number | null): string {
  return share === null ? '–' : `${Math.round(100 * share)} %`
}
