import type { enCore } from './en/core.ts'
import type { enPages } from './en/pages.ts'

/** Every catalogue has what the English one has: a word or a parameter that is missing does not compile. */
export type Words = typeof enCore & typeof enPages
