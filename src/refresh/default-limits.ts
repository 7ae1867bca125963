import { DAY_MS } from '../model/index.ts'

/**
 * No source is refreshed less often, unless somebody sets another limit (`maxInterval`). Of 1 to 7 days and none at all the one
 * with the least mean delay on rss-2023 (docs/decisions/0140).
 */
export const MAX_INTERVAL_MS = 4 * DAY_MS
