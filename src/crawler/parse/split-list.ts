const LONGEST_LIST = 10_000

/** Separated by commas, or by blanks where there is none. */
export function splitList(text: string): readonly string[] {
  return text.slice(0, LONGEST_LIST).split(text.includes(',') ? ',' : /\s+/)
}
