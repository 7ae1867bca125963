import type { ReasonClause, SourceDetail } from '../../../src/api/operations/wire.ts'
import { clockTime, DAY_MS, weekdayOf } from '../../format/words.ts'
import { t } from '../../language/current.ts'

type Reasoned = Pick<SourceDetail, 'nextCheckClauses' | 'nextCheckAt'>

/** Clauses of which a plan by foresight consists; with any other it says something else. */
const PLANNED: readonly ReasonClause['code'][] = [
  'after',
  'rate',
  'busiest-hour',
  'expected',
  'worth-the-price',
  'before-it-overflows',
]

/**
 * Why a source is looked at when it is, in sentences that need no glossary and by the reader's clock; null: it has another reason
 * than that news is expected.
 */
export function plainReason({ nextCheckClauses, nextCheckAt }: Reasoned, now: number): string | null {
  const clauses = new Map(nextCheckClauses.map(({ code, params }) => [code, params]))
  const expected = clauses.get('expected')
  if (nextCheckAt === null || expected === undefined) return null
  if ([...clauses.keys()].some((code) => !PLANNED.includes(code))) return null
  const rate = clauses.get('rate')?.['perDay']
  const { from, to } = clauses.get('busiest-hour') ?? {}
  const busiest =
    typeof from === 'string' && typeof to === 'string'
      ? t.source.mostlyBetween({ from: localHour(from, now), to: localHour(to, now) })
      : ''
  const sentences = [
    typeof rate === 'number' && rate > 0 ? t.source.brings({ perDay: rate, busiest }) : null,
    waiting(Number(expected['items']), momentWords(nextCheckAt, now), clauses.has('before-it-overflows')),
  ]
  return sentences.filter((one) => one !== null).join(' ')
}

function waiting(items: number, by: string, mayOverflow: boolean): string {
  const given = { items: t.common.newItems({ n: Math.max(1, Math.round(items)) }), by }
  return mayOverflow ? t.source.waitsAndMayBeLost(given) : t.source.waitsAndIsWorth(given)
}

/** The time of day; with its day where that is not today. */
export function momentWords(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString()
  return isToday ? clockTime(at) : `${weekdayOf(at)}, ${clockTime(at)}`
}

/** An hour of UTC by the clock of the reader. */
function localHour(hour: string, now: number): string {
  const [hours = 0, minutes = 0] = hour.split(':').map(Number)
  return clockTime(Math.floor(now / DAY_MS) * DAY_MS + (hours * 60 + minutes) * 60_000)
}

/** Begins with a capital letter and ends with a full stop. */
export function asSentence(text: string): string {
  const capital = `${text.charAt(0).toLocaleUpperCase()}${text.slice(1)}`
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`
}
