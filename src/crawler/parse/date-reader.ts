import type { InstantMs } from '../../model/time.ts'
import { parseFeedDate } from './dates.ts'
import type { DayMonthOrder, OrderWitness } from './day-month-order.ts'
import type { ProblemList } from './problems.ts'

/**
 * Reads the dates of one document. `31/1/2004` shows how its writer orders day and month; a `1/2/2004` that was read before
 * the document had shown it may have to be read again.
 */
export class DateReader implements OrderWitness {
  readonly order: DayMonthOrder | null
  private readonly problems: ProblemList
  private dayFirst = 0
  private monthFirst = 0
  private guessed: DayMonthOrder | null = null

  /** `order`: as an earlier reading of the document has shown. */
  constructor(problems: ProblemList, order: DayMonthOrder | null = null) {
    this.problems = problems
    this.order = order
  }

  read(text: string): InstantMs | null {
    const date = parseFeedDate(text, this)
    if (date === null && text.trim() !== '') this.problems.add('bad-date', null, text.trim())
    return date
  }

  show(order: DayMonthOrder): void {
    if (order === 'day-first') this.dayFirst++
    else this.monthFirst++
  }

  guess(order: DayMonthOrder): void {
    this.guessed ??= order
  }

  /** How the document is to be read again; null: it was read right, or nothing says otherwise. */
  get betterOrder(): DayMonthOrder | null {
    if (this.guessed === null || this.dayFirst === this.monthFirst) return null
    const shown = this.dayFirst > this.monthFirst ? 'day-first' : 'month-first'
    // Dates with slashes and with dots may stand in one document; whatever was guessed is looked at again.
    return shown
  }
}
