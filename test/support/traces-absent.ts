/** What a skipped test says. */
export const TRACES_ABSENT = 'skipped where ../shared/traces is absent: it needs recorded feeds'
