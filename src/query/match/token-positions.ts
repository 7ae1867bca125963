import { growColumn } from '../../model/columns.ts'
import type { TermTable } from './terms.ts'

const FIRST_TOKENS = 4_096
const NONE = -1

/** The terms of an item's texts in their order, so that a phrase is found without reading the texts again. */
export class TokenPositions {
  private tokens = new Int32Array(FIRST_TOKENS)
  private masks = new Uint8Array(FIRST_TOKENS)
  /** The place before this one where the same term is. */
  private before = new Int32Array(FIRST_TOKENS)
  private last = new Int32Array(FIRST_TOKENS)
  private end = 0

  clear(): void {
    this.end = 0
  }

  /** Words of one text, part by part; those that no query asks for have no number, and only part the others. */
  add(parts: Iterable<readonly string[]>, mask: number, terms: TermTable): void {
    for (const found of parts) this.addPart(found, mask, terms)
    // No phrase reaches over two texts.
    this.reserve(this.end + 1, terms.end)
    this.tokens[this.end++] = 0
  }

  /** Marks what it finds. */
  private addPart(found: readonly string[], mask: number, terms: TermTable): void {
    this.reserve(this.end + found.length, terms.end)
    for (const word of found) {
      const term = terms.id(word)
      const at = this.end++
      if (term === undefined) {
        this.tokens[at] = 0
        continue
      }
      this.tokens[at] = term
      this.masks[at] = mask
      this.before[at] = terms.fields(term) === 0 ? NONE : (this.last[term] ?? NONE)
      this.last[term] = at
      terms.mark(term, mask)
    }
  }

  /** All terms of the phrase are marked. */
  has(phrase: readonly number[], mask: number): boolean {
    for (let at = this.last[phrase[0] ?? 0] ?? NONE; at !== NONE; at = this.before[at] ?? NONE) {
      if (((this.masks[at] ?? 0) & mask) !== 0 && this.goesOn(phrase, at)) return true
    }
    return false
  }

  /** The same for two terms. */
  hasPair(first: number, second: number, mask: number): boolean {
    for (let at = this.last[first] ?? NONE; at !== NONE; at = this.before[at] ?? NONE) {
      if (this.tokens[at + 1] === second && ((this.masks[at] ?? 0) & mask) !== 0) return true
    }
    return false
  }

  private goesOn(phrase: readonly number[], at: number): boolean {
    for (let i = 1; i < phrase.length; i++) if (this.tokens[at + i] !== phrase[i]) return false
    return true
  }

  private reserve(tokens: number, terms: number): void {
    if (tokens > this.tokens.length) {
      const length = Math.max(tokens, 2 * this.tokens.length)
      this.tokens = growColumn(this.tokens, length)
      this.before = growColumn(this.before, length)
      this.masks = growColumn(this.masks, length)
    }
    if (terms > this.last.length) this.last = growColumn(this.last, Math.max(terms, 2 * this.last.length))
  }
}
