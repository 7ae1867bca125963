import type { QueryFeedId, User, UserId } from '../model/index.ts'
import { type AccessTable, type Action, type Right, rightsOf, type ThingKind, type Who } from './table.ts'

/** Who sends the request, and with what. */
export interface Caller {
  /** null: a stranger, or who shows a token of a feed. */
  readonly user: Pick<User, 'id' | 'role'> | null
  readonly rights: ReadonlySet<Right>
  /** The only query feed that the token is for; null: it is not bound to one. */
  readonly onlyFeed: string | null
  /** The feed whose own token was shown. */
  readonly tokenOf: QueryFeedId | null
}

/** What is to be read or changed. */
export interface Thing {
  readonly kind: ThingKind
  /** Of a query feed; null: a built-in one. */
  readonly feed: { readonly id: QueryFeedId; readonly name: string; readonly ownerId: UserId | null } | null
}

export const STRANGER: Caller = { user: null, rights: new Set(['public']), onlyFeed: null, tokenOf: null }

/** Shows the token of a feed, and is nobody else. */
export function holderOf(feedId: QueryFeedId, { scopes }: AccessTable): Caller {
  return { user: null, rights: new Set(scopes.feed), onlyFeed: null, tokenOf: feedId }
}

/** A user with all rights of their own, as the owner of a feed is judged; null: whose feeds are nobody's. */
export function userAsCaller(user: Pick<User, 'id' | 'role'> | null, table: AccessTable): Caller {
  const known = user ?? { id: 0, role: 'owner' as const }
  return { user: known, rights: rightsOf(known.role, 'admin', table), onlyFeed: null, tokenOf: null }
}

export function may({ rules }: AccessTable, caller: Caller, action: Action, thing: Thing): boolean {
  return rules.some(
    (rule) =>
      rule.action === action &&
      rule.thing === thing.kind &&
      caller.rights.has(rule.right) &&
      stands(caller, rule.who, thing),
  )
}

function stands(caller: Caller, who: Who, { feed }: Thing): boolean {
  if (who === 'anybody') return true
  if (who === 'token') return feed !== null && caller.tokenOf === feed.id
  // A token for one feed makes its bearer a stranger to everything else.
  if (caller.user === null || (caller.onlyFeed !== null && caller.onlyFeed !== feed?.name)) return false
  if (who === 'user') return true
  if (who === 'node owner') return caller.user.role === 'owner'
  return feed !== null && feed.ownerId === caller.user.id
}
