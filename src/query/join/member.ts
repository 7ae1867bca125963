import type { InstantMs, ItemSeq } from '../../model/index.ts'

/** What a window keeps of an item: as little as the comparisons need. */
export interface WindowMember {
  readonly seq: ItemSeq
  /** Its number in the window, which another gets once it has left. */
  readonly slot: number
  readonly at: InstantMs
  /** Numbers of its words or values, for each comparison of the window. */
  values: readonly (readonly number[])[]
  /** To each `$w[…]`. */
  answers: readonly boolean[]
  /** The number of the last question that it was a candidate of. */
  usedInRound: number
}
