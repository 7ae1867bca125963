import type { Key } from './cover.ts'

/** Record of the query, mask and `sure`, guard. */
export const ENTRY_WORDS = 3

/** Which queries are filed under a term. */
export class Postings {
  private readonly byTerm: (number[] | undefined)[] = []

  of(term: number): readonly number[] | undefined {
    return this.byTerm[term]
  }

  add(record: number, { term, mask, sure, guard }: Key): void {
    while (this.byTerm.length <= term) this.byTerm.push(undefined)
    const entries = this.byTerm[term]
    const packed = (mask << 1) | (sure ? 1 : 0)
    if (entries === undefined) this.byTerm[term] = [record, packed, guard]
    else entries.push(record, packed, guard)
  }

  /** The last entry takes the place of the removed one. */
  remove(record: number, term: number): void {
    const entries = this.byTerm[term]!
    let at = 0
    while (entries[at] !== record) at += ENTRY_WORDS
    const last = entries.length - ENTRY_WORDS
    for (let i = 0; i < ENTRY_WORDS; i++) entries[at + i] = entries[last + i]!
    entries.length = last
    if (last === 0) this.byTerm[term] = undefined
  }
}
