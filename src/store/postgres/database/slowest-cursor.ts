/** As `isExpired` has it: of those that are waited for; NULL: there is none. `now` is a parameter. */
export function slowestCursor(now: string): string {
  return `(SELECT min(cursor) FROM buffer_reader
    WHERE expires_after_ms IS NULL OR abs(${now}::bigint - seen_at) < expires_after_ms)`
}
