import type { QueryFeedId, User, UserId } from '../model/index.ts'
import { type Caller, may, STRANGER, type Thing, userAsCaller } from './decide.ts'
import { ACCESS_TABLE, type AccessTable, type Action } from './table.ts'

/** One of the origins that a query feed is made of, as it is now. */
export interface FeedInput {
  /** The same for two writings of one origin. */
  readonly key: string
  /** As people write it: a name, `ALL`, `CATEGORY "News"`, an address. */
  readonly words: string
  readonly isName: boolean
  /** The query feed of this name, where there is one. */
  readonly feed: string | null
  /** The built-in feed that shows the same items; null: it is a name, and that of a query feed alone. */
  readonly builtIn: 'public' | 'hidden' | null
}

export interface AccessFeed {
  readonly id: QueryFeedId
  readonly name: string
  readonly isPrivate: boolean
  /** null: nobody's, so the node owner's. */
  readonly ownerId: UserId | null
  readonly inputs: readonly FeedInput[]
  /** What its publications were made without. */
  readonly without: readonly string[]
  readonly isClearing: boolean
}

export interface AccessState {
  readonly feeds: readonly AccessFeed[]
  readonly users: readonly Pick<User, 'id' | 'role'>[]
  /** Paths of the built-in feeds that are hidden, as publisher/feed-access.ts reads them. */
  readonly hidden: ReadonlySet<string>
}

/**
 * All that is decided about query feeds, at one moment.
 *
 * A feed is made without the inputs that its owner may not use (or, where it is public, not publish). What it is made
 * without is stored with it, its own inputs and those of the feeds that it reads. When access changes, the two differ: from
 * that moment nothing of the feed is shown, until it has been rebuilt without what it may no longer hold.
 */
export class AccessView {
  readonly table: AccessTable
  private readonly byName: ReadonlyMap<string, AccessFeed>
  private readonly byId: ReadonlyMap<QueryFeedId, AccessFeed>
  private readonly users: ReadonlyMap<UserId, Pick<User, 'id' | 'role'>>
  private readonly withouts = new Map<QueryFeedId, readonly string[]>()
  readonly hidden: ReadonlySet<string>
  private hides: boolean | null = null

  constructor({ feeds, users, hidden }: AccessState, table: AccessTable = ACCESS_TABLE) {
    this.table = table
    this.byName = new Map(feeds.map((feed) => [feed.name, feed]))
    this.byId = new Map(feeds.map((feed) => [feed.id, feed]))
    this.users = new Map(users.map((user) => [user.id, user]))
    this.hidden = hidden
  }

  get feeds(): readonly AccessFeed[] {
    return [...this.byName.values()]
  }

  findFeed(name: string): AccessFeed | null {
    return this.byName.get(name) ?? null
  }

  withId(id: QueryFeedId): AccessFeed | null {
    return this.byId.get(id) ?? null
  }

  may(caller: Caller, action: Action, feed: AccessFeed): boolean {
    return may(this.table, caller, action, thingOf(feed))
  }

  mayBuiltIn(caller: Caller, action: Action, isHidden: boolean): boolean {
    return may(this.table, caller, action, builtIn(isHidden))
  }

  /** Strangers may not have everything, so that what is missing must look like what is closed. */
  get hidesAnything(): boolean {
    const isOpen = (feed: AccessFeed) => this.may(STRANGER, 'open', feed) && this.shows(feed)
    this.hides ??= this.hidden.size > 0 || this.feeds.some((feed) => !isOpen(feed))
    return this.hides
  }

  /** What the feed holds is only what it may hold. */
  shows(feed: AccessFeed): boolean {
    if (feed.isClearing) return false
    const ownFeeds = new Set(feed.without)
    return this.withoutOf(feed).every((key) => ownFeeds.has(key))
  }

  /** What it must be made without: keys of its own inputs and, behind their names, of those of the feeds that it reads. */
  withoutOf(feed: AccessFeed): readonly string[] {
    const known = this.withouts.get(feed.id)
    if (known !== undefined) return known
    // A circle cannot be saved; were there one, it would end here.
    this.withouts.set(feed.id, [])
    const own = this.unreadable(feed)
    const keys = new Set(own.map(({ key }) => ownKey(feed.name, key)))
    for (const { key, feed: name } of feed.inputs) {
      const read = name === null || own.some((input) => input.key === key) ? null : this.findFeed(name)
      for (const other of read === null ? [] : this.withoutOf(read)) keys.add(other)
    }
    const sorted = [...keys].sort()
    this.withouts.set(feed.id, sorted)
    return sorted
  }

  /** Its own inputs that its owner may not read. */
  unreadable(feed: Pick<AccessFeed, 'ownerId' | 'isPrivate' | 'inputs'>): readonly FeedInput[] {
    const owner = userAsCaller(feed.ownerId === null ? null : (this.users.get(feed.ownerId) ?? null), this.table)
    const action = feed.isPrivate ? 'use' : 'publish'
    return feed.inputs.filter((input) => !this.mayRead(owner, action, input))
  }

  private mayRead(owner: Caller, action: 'use' | 'publish', { feed: name, builtIn }: FeedInput): boolean {
    const feed = name === null ? null : this.findFeed(name)
    if (feed !== null && !this.may(owner, action, feed)) return false
    return builtIn === null || this.mayBuiltIn(owner, action, builtIn === 'hidden')
  }
}

/** As it is stored with a feed. */
function ownKey(feedName: string, inputKey: string): string {
  return `${feedName} ${inputKey}`
}

function thingOf(feed: AccessFeed): Thing {
  return { kind: feed.isPrivate ? 'private feed' : 'public feed', feed }
}

function builtIn(isHidden: boolean): Thing {
  return { kind: isHidden ? 'hidden feed' : 'built-in feed', feed: null }
}

/** The view of this moment. */
export type ReadAccess = () => Promise<AccessView>
