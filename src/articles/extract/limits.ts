/*
 * What a page may cost. Beyond the first three it gives no article, with the reason; the others cut off what no article needs.
 */

/** The largest of 181 pages of news and blogs is 1.6 MB. */
export const MOST_PAGE_BYTES = 8 * 1024 * 1024
/** Elements and texts; the same pages have 12,000 at most. */
export const MOST_NODES = 150_000
/** Tags that nobody closes add up; beyond this many the page gives no article either. */
export const MOST_OPEN_TAGS = 10_000
/** What is nested deeper is flattened, as browsers do (at 512). */
export const DEEPEST_ELEMENT = 200
export const MOST_ATTRIBUTES = 40
export const LONGEST_ATTRIBUTE = 8_192
/** All JSON-LD of a page. */
export const MOST_JSON_LD_CHARACTERS = 1_000_000
