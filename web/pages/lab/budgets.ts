const MOST = 8
/** More than three times as much takes minutes to replay, and is seldom to be had. */
const AROUND = [0.1, 0.3, 1, 3]

/** null: not a list of one to eight positive numbers. */
export function budgetsFrom(text: string): number[] | null {
  const numbers = text
    .split(/[,;\s]+/)
    .filter((part) => part !== '')
    .map(Number)
  const isUsable =
    numbers.length > 0 && numbers.length <= MOST && numbers.every((one) => Number.isFinite(one) && one > 0)
  return isUsable ? [...new Set(numbers)].sort((a, b) => a - b) : null
}

/** As everywhere in the dashboard, people count by the day; the API by the minute. */
export const MINUTES_A_DAY = 1_440

/** A day, around the node's own: from a tenth to three times as much. */
export function suggestedBudgets(requestsPerMinute: number): number[] {
  return AROUND.map((factor) => Number((requestsPerMinute * MINUTES_A_DAY * factor).toPrecision(2)))
}
