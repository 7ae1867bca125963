import type { QualityWish, QueryFeed, QueryFeedId, SourceId, User, UserId } from '../../model/index.ts'
import type { Store } from '../../store/store.ts'

/** Which share of each source's items a feed keeps. */
export type SharesOfFeed = (feedId: QueryFeedId) => Promise<ReadonlyMap<SourceId, number>>

/** Who may wish for a quality: each user, and each query feed with a wish, which pays for itself out of its user's part. */
export interface Wisher {
  readonly payer: number
  readonly user: UserId
  readonly wish: QualityWish | null
  /** null: of a user. */
  readonly feedId: QueryFeedId | null
}

/** A query feed pays under a number that no user has. */
export function feedPayer(id: QueryFeedId): number {
  return -id
}

export function ownerOf(users: readonly User[]): UserId {
  return users.find(({ role }) => role === 'owner')?.id ?? users[0]?.id ?? 0
}

export async function wishersOf(
  store: Pick<Store, 'users' | 'queryFeeds' | 'queryFeedOwners'>,
): Promise<readonly Wisher[]> {
  const users = await store.users()
  const owners = await store.queryFeedOwners()
  const feeds = (await store.queryFeeds()).filter(({ wish }) => wish !== null)
  const known = users.length === 0 ? [{ id: 0, wish: null }] : users
  return [
    ...known.map(({ id, wish }) => ({ payer: id, user: id, wish, feedId: null })),
    ...feeds.map(({ id, wish }) => ({ payer: feedPayer(id), user: userOf(id, owners, users), wish, feedId: id })),
  ]
}

/** Whose feed it is; what was made on the command line is the owner's. */
export function userOf(id: QueryFeed['id'], owners: ReadonlyMap<QueryFeedId, UserId>, users: readonly User[]): UserId {
  return owners.get(id) ?? ownerOf(users)
}
