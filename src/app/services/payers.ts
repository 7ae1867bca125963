import type { FeedOrigin } from '../../api/services.ts'
import type { FindPayers, PayerMap } from '../../crawler/payments.ts'
import type { QueryFeed, SourceId, UserId } from '../../model/index.ts'
import { parseFeedPath } from '../../publisher/addresses.ts'
import { allListedSources } from '../../store/all-sources.ts'
import type { Store } from '../../store/store.ts'
import { feedPayer, ownerOf, userOf } from '../crawling/wishers.ts'

type PayersStore = Pick<
  Store,
  | 'users'
  | 'follows'
  | 'queryRevision'
  | 'queryFeeds'
  | 'queryFeedOwners'
  | 'sources'
  | 'listedSources'
  | 'sourceByUrl'
  | 'sourceAdders'
>

type Origins = () => Promise<ReadonlyMap<string, readonly FeedOrigin[]>>

/** What one user follows or reads: everything, or these. */
interface Bill {
  all: boolean
  readonly sources: Set<SourceId>
}

/**
 * A source is paid for by all who follow it or whose query feeds read it, also through other feeds; if nobody does, by the
 * member who added it, and else by the owner. What a query feed with a wish reads it pays for itself, in place of its user. A
 * node with one user and without wishes has nothing to find out.
 */
export function findPayers(store: PayersStore, origins: Origins): FindPayers {
  let alone: PayerMap | null = null
  const wishes = wishedFeeds(store)
  return async () => {
    const users = await store.users()
    const owner = ownerOf(users)
    const feeds = await wishes()
    if (users.length <= 1 && feeds.length === 0) {
      const payers = [owner]
      if (alone?.owner !== owner) alone = { owner, of: () => payers }
      return alone
    }
    const known = new Set(users.map(({ id }) => id))
    const resolve = resolver(store, await origins())
    const bills = await billsOf(store, resolve)
    const adders = await store.sourceAdders()
    const owners = await store.queryFeedOwners()
    const ofFeeds = await feedBills(feeds, (id) => userOf(id, owners, users), resolve)
    return mapOf(owner, bills, ofFeeds, (id) => {
      const adder = adders.get(id)
      return [adder !== undefined && known.has(adder) ? adder : owner]
    })
  }
}

/** Called every minute: all query feeds are read only when one of them has changed. */
function wishedFeeds(store: Pick<Store, 'queryRevision' | 'queryFeeds'>): () => Promise<readonly QueryFeed[]> {
  let known: { readonly revision: number; readonly feeds: readonly QueryFeed[] } | null = null
  return async () => {
    const revision = await store.queryRevision()
    if (known?.revision !== revision) {
      known = { revision, feeds: (await store.queryFeeds()).filter(({ wish }) => wish !== null) }
    }
    return known.feeds
  }
}

/** What a query feed with a wish pays for, in place of its user. */
interface FeedBill {
  readonly payer: number
  readonly user: UserId
  readonly bill: Bill
}

async function feedBills(
  feeds: readonly QueryFeed[],
  userOfFeed: (id: QueryFeed['id']) => UserId,
  resolve: Resolver,
): Promise<readonly FeedBill[]> {
  const found: FeedBill[] = []
  for (const { id, name } of feeds) {
    const bill: Bill = { all: false, sources: new Set() }
    await resolve.feed(bill, name)
    found.push({ payer: feedPayer(id), user: userOfFeed(id), bill })
  }
  return found
}

function mapOf(
  owner: UserId,
  bills: ReadonlyMap<UserId, Bill>,
  ofFeeds: readonly FeedBill[],
  otherwise: (id: SourceId) => readonly UserId[],
): PayerMap {
  const ofAll = [...bills].flatMap(([userId, { all }]) => (all ? [userId] : []))
  const of = new Map<SourceId, UserId[]>()
  for (const [userId, { all, sources }] of bills) {
    for (const id of all ? [] : sources) {
      const payers = of.get(id)
      if (payers === undefined) of.set(id, [...ofAll, userId])
      else payers.push(userId)
    }
  }
  const users = (id: SourceId) => of.get(id) ?? ofAll
  const payersOf = (id: SourceId): readonly number[] => {
    const bills = ofFeeds.filter(({ bill }) => bill.all || bill.sources.has(id))
    const others = users(id).filter((userId) => !bills.some(({ user }) => user === userId))
    const payers = [...others, ...bills.map(({ payer }) => payer)]
    return payers.length > 0 ? payers : otherwise(id)
  }
  return { owner, of: (id) => (ofFeeds.length > 0 ? payersOf(id) : users(id).length > 0 ? users(id) : otherwise(id)) }
}

async function billsOf(store: PayersStore, resolve: Resolver): Promise<ReadonlyMap<UserId, Bill>> {
  const bills = new Map<UserId, Bill>()
  const billOf = (userId: UserId): Bill => {
    const bill = bills.get(userId) ?? { all: false, sources: new Set<SourceId>() }
    bills.set(userId, bill)
    return bill
  }
  for (const { feed, userId } of await store.follows()) {
    const address = parseFeedPath(`${feed}.rss`)?.address
    if (address === undefined) continue
    const bill = billOf(userId)
    if (address.kind === 'all') bill.all = true
    else if (address.kind === 'source') bill.sources.add(address.sourceId)
    else if (address.kind === 'category') await resolve.origin(bill, { kind: 'category', name: address.category })
    else if (address.kind === 'query') await resolve.feed(bill, address.name)
  }
  const owners = await store.queryFeedOwners()
  for (const { id, name } of await store.queryFeeds()) {
    const userId = owners.get(id)
    if (userId !== undefined) await resolve.feed(billOf(userId), name)
  }
  return bills
}

type Resolver = ReturnType<typeof resolver>

/** Which sources a feed reads in the end; each category and name is looked up once. */
function resolver(store: PayersStore, origins: ReadonlyMap<string, readonly FeedOrigin[]>) {
  const cache = new Map<string, Promise<readonly SourceId[]>>()
  const lookUp = ({ kind, name }: Pick<FeedOrigin, 'kind' | 'name'>): Promise<readonly SourceId[]> => {
    const key = `${kind} ${name}`
    const known = cache.get(key) ?? idsOf(store, kind, name)
    cache.set(key, known)
    return known
  }
  const origin = async (bill: Bill, one: Pick<FeedOrigin, 'kind' | 'name'>): Promise<void> => {
    if (one.kind === 'all') bill.all = true
    else for (const id of await lookUp(one)) bill.sources.add(id)
  }
  const feed = async (bill: Bill, name: string, seen = new Set<string>()): Promise<void> => {
    if (seen.has(name)) return
    seen.add(name)
    for (const one of origins.get(name) ?? []) {
      if (one.kind === 'feed') await feed(bill, one.name, seen)
      else await origin(bill, one)
    }
  }
  return { origin, feed }
}

async function idsOf(store: PayersStore, kind: FeedOrigin['kind'], name: string): Promise<readonly SourceId[]> {
  if (kind === 'category') return (await allListedSources(store, name)).map(({ id }) => id)
  if (kind === 'source') return (await store.sources({ names: [name] })).map(({ id }) => id)
  const source = kind === 'url' ? await store.sourceByUrl(name) : null
  return source === null ? [] : [source.id]
}
