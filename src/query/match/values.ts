import { words } from '../../store/text/fold.ts'
import type { Arrival } from '../item/arrival.ts'
import { sourceCategories } from '../item/atoms.ts'
import { type FieldText, inField } from '../item/texts.ts'
import type { ComparisonOperator, CountedField, ItemPredicate } from '../language/ast.ts'

type PublishedPredicate = Extract<ItemPredicate, { kind: 'published' }>

/** "Now" is when the item was first seen: the same question about the same item always has the same answer. */
export function publishedHolds({ comparison, moment }: PublishedPredicate, { item }: Arrival): boolean {
  const at = item.sortAt
  if (moment.kind === 'relative') return compareNumbers(at, comparison, item.firstSeenAt - moment.agoMs)
  const { from, to } = moment
  switch (comparison) {
    case '=':
      return at >= from && at < to
    case '<':
      return at < from
    case '<=':
      return at < to
    case '>':
      return at >= to
    case '>=':
      return at >= from
  }
}

export function compareNumbers(left: number, comparison: ComparisonOperator, right: number): boolean {
  switch (comparison) {
    case '=':
      return left === right
    case '<':
      return left < right
    case '<=':
      return left <= right
    case '>':
      return left > right
    case '>=':
      return left >= right
  }
}

/** Words of a text, or values of what can have several. */
export function countOf(field: CountedField, { item, source }: Arrival, texts: readonly FieldText[]): number {
  if (field === 'SOURCE CATEGORY') return sourceCategories(source).length
  if (field === 'CATEGORY') return item.categories.length
  if (field === 'AUTHOR') return item.authors.length
  if (field === 'ENCLOSURE') return item.enclosures.length
  return inField(texts, field).reduce((sum, { text }) => sum + words(text).length, 0)
}
