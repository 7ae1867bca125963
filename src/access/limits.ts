/** What a member may have of each kind; the node owner may have any number. */
export interface MemberLimits {
  /** Sources that the member has added. */
  readonly sources: number
  readonly queryFeeds: number
  /** Of the member's query feeds. */
  readonly subscriptions: number
  /** Of the member, and of the member's query feeds. */
  readonly tokens: number
}

export type LimitedThing = keyof MemberLimits

/** How many there are, and how many more are wanted. */
export type LimitedAddition = Readonly<Partial<Record<LimitedThing, { readonly has: number; readonly more: number }>>>

export interface BeyondLimit {
  readonly kind: LimitedThing
  readonly has: number
  readonly more: number
}

const KINDS: readonly LimitedThing[] = ['sources', 'queryFeeds', 'subscriptions', 'tokens']

/** What goes beyond; null: nothing does. A user who has too many already may still give some up, and change the rest. */
export function beyondLimit(limits: MemberLimits, addition: LimitedAddition): BeyondLimit | null {
  for (const kind of KINDS) {
    const { has, more } = addition[kind] ?? { has: 0, more: 0 }
    if (more > 0 && has + more > limits[kind]) return { kind, has, more }
  }
  return null
}
