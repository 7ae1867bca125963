import { MASK_BITS, MASKS, PRESENT } from '../item/texts.ts'
import type { ItemPredicate } from '../language/ast.ts'
import { STEMMED } from '../plan/expression.ts'

/** The language of an item is guessed from these. */
const GUESSED_FROM = MASKS.TITLE | MASKS.DESCRIPTION | MASKS.CONTENT
/** What is known from an item's source and its title. */
const OF_TITLES = MASKS.TITLE | MASKS.SOURCE | MASKS['SOURCE CATEGORY']
const VALUES_OF_TITLES = new Set(['FROM', 'SOURCE', 'SOURCE CATEGORY', 'TITLE'])

/**
 * Which fields the queries read, so that the others need not be freed of markup and cut into words: most of the cost
 * of an item is its content, and a query of titles has no use for it.
 */
export class FieldUse {
  private readonly inTexts = new Int32Array(MASK_BITS)
  private readonly inWords = new Int32Array(MASK_BITS)
  /** Fields whose text some query asks for. */
  texts = 0
  /** Fields whose words some query asks for; the same or fewer. */
  words = 0
  /** How often other values of items are used than their titles: links, dates … */
  private otherValues = 0

  /** Nothing of items is used but their titles, and where they come from. */
  get onlyTitles(): boolean {
    return (this.texts & ~OF_TITLES) === 0 && this.otherValues === 0
  }

  /** A word in some fields, or a name of a value (atoms.ts), that one query more (1) or less (−1) asks for. */
  countTerm(term: string, mask: number, by: 1 | -1): void {
    if (mask === PRESENT) {
      this.countTexts(fieldsOfValue(term), by)
      if (!VALUES_OF_TITLES.has(kindOf(term))) this.otherValues += by
    } else if (term.startsWith(STEMMED)) this.countTexts(mask | GUESSED_FROM, by)
    else {
      this.countTexts(mask, by)
      this.words = count(this.inWords, mask, by)
    }
  }

  countPredicate(predicate: ItemPredicate, by: 1 | -1): void {
    const fields = fieldsOfPredicate(predicate)
    this.countTexts(fields, by)
    // Dates and enclosures are no texts.
    if (fields === 0) this.otherValues += by
  }

  private countTexts(mask: number, by: 1 | -1): void {
    this.texts = count(this.inTexts, mask, by)
  }
}

/** Counts every bit of the mask; returns those that any query uses. */
function count(counts: Int32Array, mask: number, by: 1 | -1): number {
  let total = 0
  for (let bit = 0; bit < MASK_BITS; bit++) {
    if ((mask & (1 << bit)) !== 0) counts[bit] = (counts[bit] ?? 0) + by
    if ((counts[bit] ?? 0) > 0) total |= 1 << bit
  }
  return total
}

/** Of the name of a value: `CATEGORY` of `CATEGORY=iceland`. */
function kindOf(name: string): string {
  return name.slice(0, name.search(/[=@/]/))
}

/** Most values are of the item or its source as they are; these are made of texts. */
function fieldsOfValue(name: string): number {
  const [field] = name.split('=', 1)
  if (field === 'TITLE' || field === 'DESCRIPTION' || field === 'CONTENT') return MASKS[field]
  return field === 'LANGUAGE' ? GUESSED_FROM : 0
}

function fieldsOfPredicate(predicate: ItemPredicate): number {
  switch (predicate.kind) {
    case 'contains':
      return MASKS[predicate.field] | (predicate.stemmed ? GUESSED_FROM : 0)
    case 'matches':
    case 'count':
      return MASKS[predicate.field]
    case 'published':
    case 'equals':
      return 0
  }
}
