/**
 * Who may see and change what, written down a second time and in another way: by hand, from docs/access.md, without anything
 * of src/access. What the node answers is compared with it.
 */
export interface Account {
  readonly id: number
  readonly isNodeOwner: boolean
}

export type Scope = 'session' | 'admin' | 'write' | 'read' | 'feed'

/** What somebody brings along. */
export interface Credential {
  readonly account: Account | null
  readonly scope: Scope
  /** A token for one feed: of its user (scope feed), or of the feed itself (account null). */
  readonly only: string | null
  /** A token of the feed itself ends with it; a new feed of the name is another. */
  readonly feedId: number | null
}

export interface ModelFeed {
  readonly name: string
  /** Distinguishes a feed from an earlier one of its name. */
  readonly id: number
  readonly owner: Account
  readonly isPrivate: boolean
  readonly reads: readonly Input[]
}

export type Input =
  | { readonly kind: 'feed'; readonly name: string }
  | { readonly kind: 'source'; readonly index: number }
  | { readonly kind: 'category'; readonly name: string }
  | { readonly kind: 'all' }

export interface ModelSource {
  readonly name: string
  readonly path: string
  readonly category: string
  readonly titles: readonly string[]
}

export interface ModelState {
  readonly feeds: ReadonlyMap<string, ModelFeed>
  readonly sources: readonly ModelSource[]
  /** Paths of built-in feeds. */
  readonly hidden: ReadonlySet<string>
}

export const STRANGER: Credential = { account: null, scope: 'feed', only: null, feedId: null }

export function canRead({ account, scope }: Credential): boolean {
  return account !== null && scope !== 'feed'
}

export function canWrite(who: Credential): boolean {
  return canRead(who) && who.scope !== 'read'
}

export function canAdmin(who: Credential): boolean {
  return canWrite(who) && who.scope !== 'write' && who.account!.isNodeOwner
}

export function opens(who: Credential, feed: ModelFeed): boolean {
  if (!feed.isPrivate || who.feedId === feed.id) return true
  if (who.account === null || (who.only !== null && who.only !== feed.name)) return false
  return who.account.isNodeOwner || who.account.id === feed.owner.id
}

export function opensHiddenFeeds(who: Credential): boolean {
  return who.account !== null && who.only === null
}

export function sees(who: Credential, feed: ModelFeed | undefined): boolean {
  if (feed === undefined || !canRead(who)) return false
  return !feed.isPrivate || who.account!.isNodeOwner || who.account!.id === feed.owner.id
}

export function changes(who: Credential, feed: ModelFeed): boolean {
  return (canWrite(who) && who.account!.id === feed.owner.id) || canAdmin(who)
}

export function isHidden(input: Input, { sources, hidden }: ModelState): boolean {
  if (input.kind === 'all') return hidden.has('/feeds/all')
  if (input.kind === 'category') return hidden.has(`/feeds/category/${input.name}`)
  return input.kind === 'source' && (hidden.has(sources[input.index]!.path) || hidden.has('/feeds/source/*'))
}

/** Whether a feed of this owner may hold what the input shows. */
export function mayHold(owner: Account, isPublic: boolean, input: Input, state: ModelState): boolean {
  if (owner.isNodeOwner) return true
  if (input.kind !== 'feed') return !(isPublic && isHidden(input, state))
  const read = state.feeds.get(input.name)
  // A name that no feed has is that of a source, perhaps of one that comes later.
  if (read === undefined) return !(isPublic && state.hidden.has('/feeds/source/*'))
  return !read.isPrivate || read.owner.id === owner.id
}

/** What its owner sees that it is made without: what may not be read, and what is not there. */
export function lacking(feed: ModelFeed, state: ModelState): readonly Input[] {
  const isThere = (input: Input) => input.kind !== 'feed' || state.feeds.has(input.name)
  return feed.reads.filter((input) => !isThere(input) || !mayHold(feed.owner, !feed.isPrivate, input, state))
}

/** Whether it holds all that it reads, and so do the feeds that it reads. */
export function isWhole(feed: ModelFeed, state: ModelState): boolean {
  return feed.reads.every((input) => {
    if (!mayHold(feed.owner, !feed.isPrivate, input, state)) return false
    const read = input.kind === 'feed' ? state.feeds.get(input.name) : undefined
    return read === undefined || isWhole(read, state)
  })
}

/** Titles that a feed shows, once it has been made. */
export function contents(feed: ModelFeed, state: ModelState): ReadonlySet<string> {
  const titles = new Set<string>()
  for (const input of feed.reads) {
    if (!mayHold(feed.owner, !feed.isPrivate, input, state)) continue
    for (const title of titlesOf(input, state)) titles.add(title)
  }
  return titles
}

function titlesOf(input: Input, state: ModelState): Iterable<string> {
  if (input.kind === 'feed') {
    const read = state.feeds.get(input.name)
    return read === undefined ? [] : contents(read, state)
  }
  const isIn = (source: ModelSource, index: number) =>
    input.kind === 'all' || (input.kind === 'category' ? source.category === input.name : index === input.index)
  return state.sources.filter(isIn).flatMap(({ titles }) => titles)
}

/** Then what is missing must look like what is closed. */
export function hidesAnything({ feeds, hidden }: ModelState): boolean {
  return hidden.size > 0 || [...feeds.values()].some(({ isPrivate }) => isPrivate)
}
