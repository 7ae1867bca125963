type Week = readonly (readonly number[])[]

const HOURS_A_DAY = 24
const HOURS_A_WEEK = 168

/** The hours of a week in UTC as those of the reader; `behindMinutes` as Date.getTimezoneOffset has it. */
export function inLocalTime(week: Week, behindMinutes: number): Week {
  const hours = week.flat()
  // Half hours are rounded: the map has none.
  const shift = Math.round(-behindMinutes / 60)
  return Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: HOURS_A_DAY }, (_, hour) => {
      const utc = (day * HOURS_A_DAY + hour - shift + HOURS_A_WEEK) % HOURS_A_WEEK
      return hours[utc] ?? 0
    }),
  )
}

export function strongestHour(
  week: Week,
): { readonly day: number; readonly hour: number; readonly value: number } | null {
  const cells = week.flatMap((hours, day) => hours.map((value, hour) => ({ day, hour, value })))
  const top = cells.reduce((best, cell) => (cell.value > best.value ? cell : best), { day: 0, hour: 0, value: 0 })
  return top.value === 0 ? null : top
}
