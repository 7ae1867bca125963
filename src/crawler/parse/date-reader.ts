import { DAY_MS, type InstantMs } from '../../model/time.ts'
import { parseFeedDate } from '../../text/dates/dates.ts'
import type { DateWitness, DayMonthOrder } from '../../text/dates/day-month-order.ts'
import type { ProblemList } from './problems.ts'

/** A reading must bring the dates of a feed so many times closer together to be believed against custom. */
const CLEARLY_CLOSER = 3

/** First and last of some days. */
class Stretch {
  first = Number.POSITIVE_INFINITY
  last = Number.NEGATIVE_INFINITY

  add(day: number): void {
    if (day < this.first) this.first = day
    if (day > this.last) this.last = day
  }

  /** Days from the first to the last of both. */
  daysWith(other: Stretch): number {
    return Math.max(this.last, other.last) - Math.min(this.first, other.first)
  }
}

/**
 * Reads the dates of one document. `31/1/2004` shows how its writer orders day and month; a `1/2/2004` that was read before
 * the document had shown it may have to be read again.
 */
export class DateReader implements DateWitness {
  readonly order: DayMonthOrder | null
  private readonly problems: ProblemList
  private dayFirstShown = 0
  private monthFirstShown = 0
  private guessed: DayMonthOrder | 'both' | null = null
  private guessedText = ''
  private isGuess = false
  /** Dates that can be read in one way only, and the others in either. */
  private readonly plain = new Stretch()
  private readonly dayFirst = new Stretch()
  private readonly monthFirst = new Stretch()

  /** `order`: as an earlier reading of the document has shown. */
  constructor(problems: ProblemList, order: DayMonthOrder | null = null) {
    this.problems = problems
    this.order = order
  }

  read(text: string): InstantMs | null {
    this.isGuess = false
    const date = parseFeedDate(text, this)
    if (date === null) {
      if (text.trim() !== '') this.problems.add('bad-date', null, text.trim())
    } else if (!this.isGuess) this.plain.add(Math.floor(date / DAY_MS))
    else if (this.guessedText === '') this.guessedText = text.trim()
    return date
  }

  show(order: DayMonthOrder): void {
    if (order === 'day-first') this.dayFirstShown++
    else this.monthFirstShown++
  }

  guess(custom: DayMonthOrder, dayFirst: number, monthFirst: number): void {
    this.isGuess = true
    this.guessed = this.guessed === null || this.guessed === custom ? custom : 'both'
    this.dayFirst.add(dayFirst)
    this.monthFirst.add(monthFirst)
  }

  missZone(name: string): void {
    this.problems.add('unknown-zone', null, name)
  }

  /** How the document is to be read again; null: it was read right, or nothing says otherwise, which is reported. */
  judgeOrder(): DayMonthOrder | null {
    // A guess that gave no date is reported as such.
    if (this.guessed === null || this.guessedText === '') return null
    const order = this.shownOrder() ?? this.closerOrder()
    if (order === null) this.problems.add('ambiguous-date', null, this.guessedText)
    return order === this.guessed ? null : order
  }

  private shownOrder(): DayMonthOrder | null {
    if (this.dayFirstShown === this.monthFirstShown) return null
    return this.dayFirstShown > this.monthFirstShown ? 'day-first' : 'month-first'
  }

  /** A feed shows its last items: 3/4, 5/4 and 7/4 are days of one April rather than the fourth of three months. */
  private closerOrder(): DayMonthOrder | null {
    const dayFirst = this.dayFirst.daysWith(this.plain)
    const monthFirst = this.monthFirst.daysWith(this.plain)
    if (dayFirst * CLEARLY_CLOSER < monthFirst) return 'day-first'
    return monthFirst * CLEARLY_CLOSER < dayFirst ? 'month-first' : null
  }
}
