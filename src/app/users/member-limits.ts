import { beyondLimit, type LimitedAddition, type LimitedThing, type MemberLimits } from '../../access/index.ts'
import type { UserId } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { QueryChange } from '../../store/query-feeds.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from '../settings/config.ts'

type LimitStore = Pick<
  Store,
  'user' | 'apiTokens' | 'feedTokens' | 'queryFeeds' | 'queryFeedOwners' | 'subscriptions' | 'sourceAdders'
>
type LimitConfig = Pick<Config, 'memberSources' | 'memberQueries' | 'memberSubscriptions' | 'memberTokens'>

const WORDS: Readonly<Record<LimitedThing, string>> = {
  sources: 'sources of your own',
  queryFeeds: 'query feeds',
  subscriptions: 'subscriptions',
  tokens: 'tokens',
}

/** Whether members stay within what one may have. */
export interface LimitCheck {
  /**
   * Makes a change that adds so many, if the user may have them, and one after the other: two at once would both see the
   * last place free. null: the operator at the command line. Throws LIMIT_REACHED.
   */
  within<T>(userId: UserId | null, kind: LimitedThing, more: number, change: () => Promise<T>): Promise<T>
  /** Whether so many more would be too many; in the user's turn. */
  check(userId: UserId | null, kind: LimitedThing, more: number): Promise<void>
  /** Likewise for statements, whose changes are made against one revision. */
  checkChanges(userId: UserId | null, changes: readonly QueryChange[]): Promise<void>
  /** In this user's turn. */
  inTurn<T>(userId: UserId | null, change: () => Promise<T>): Promise<T>
}

export function createLimitCheck(store: LimitStore, config: () => LimitConfig): LimitCheck {
  const turns = new Map<UserId, Promise<unknown>>()

  return { within, check, checkChanges, inTurn }

  function within<T>(userId: UserId | null, kind: LimitedThing, more: number, change: () => Promise<T>): Promise<T> {
    return inTurn(userId, async () => {
      await check(userId, kind, more)
      return change()
    })
  }

  async function check(userId: UserId | null, kind: LimitedThing, more: number): Promise<void> {
    const member = await memberOf(userId)
    if (member !== null) demand({ [kind]: { has: await countOf(kind, member), more } })
  }

  async function checkChanges(userId: UserId | null, changes: readonly QueryChange[]): Promise<void> {
    const member = await memberOf(userId)
    if (member === null) return
    const names = new Set((await store.queryFeeds()).map(({ name }) => name))
    const count = (isCounted: (change: QueryChange) => boolean) => changes.filter(isCounted).length
    demand({
      sources: { has: await countOf('sources', member), more: count(({ kind }) => kind === 'add-source') },
      queryFeeds: {
        has: await countOf('queryFeeds', member),
        more:
          count((change) => change.kind === 'save-feed' && !names.has(change.name)) -
          count(({ kind }) => kind === 'drop-feed'),
      },
      subscriptions: {
        has: await countOf('subscriptions', member),
        more: count(({ kind }) => kind === 'subscribe'),
      },
    })
  }

  function demand(addition: LimitedAddition): void {
    const limits = limitsOf(config())
    const beyond = beyondLimit(limits, addition)
    if (beyond === null) return
    const { kind, has, more } = beyond
    throw new HeadwaterError(
      'LIMIT_REACHED',
      `${has} ${WORDS[kind]} and ${more} more: at most ${limits[kind]} are yours`,
    )
  }

  /** null: no limits hold for this user. */
  async function memberOf(userId: UserId | null): Promise<UserId | null> {
    return userId !== null && (await store.user(userId))?.role === 'member' ? userId : null
  }

  async function countOf(kind: LimitedThing, userId: UserId): Promise<number> {
    if (kind === 'sources') return valuesEqual(await store.sourceAdders(), userId)
    const owners = await store.queryFeedOwners()
    if (kind === 'queryFeeds') return valuesEqual(owners, userId)
    if (kind === 'subscriptions')
      return (await store.subscriptions()).filter(({ feedId }) => owners.get(feedId) === userId).length
    const own = [...owners].filter(([, owner]) => owner === userId).map(([feedId]) => feedId)
    const ofFeeds = await Promise.all(own.map(async (feedId) => (await store.feedTokens(feedId)).length))
    return ofFeeds.reduce((sum, count) => sum + count, (await store.apiTokens(userId)).length)
  }

  async function inTurn<T>(userId: UserId | null, change: () => Promise<T>): Promise<T> {
    if (userId === null) return change()
    const turn = (turns.get(userId) ?? Promise.resolve()).then(change)
    const over = turn.catch(() => {})
    turns.set(userId, over)
    try {
      return await turn
    } finally {
      if (turns.get(userId) === over) turns.delete(userId)
    }
  }
}

function limitsOf({ memberSources, memberQueries, memberSubscriptions, memberTokens }: LimitConfig): MemberLimits {
  return {
    sources: memberSources,
    queryFeeds: memberQueries,
    subscriptions: memberSubscriptions,
    tokens: memberTokens,
  }
}

function valuesEqual(map: ReadonlyMap<number, UserId>, userId: UserId): number {
  return [...map.values()].filter((value) => value === userId).length
}
