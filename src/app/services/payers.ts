import type { FeedOrigin } from '../../api/services.ts'
import type { FindPayers, PayerMap } from '../../crawler/payments.ts'
import type { SourceId, UserId } from '../../model/index.ts'
import { parseFeedPath } from '../../publisher/addresses.ts'
import { allSources } from '../../store/all-sources.ts'
import type { Store } from '../../store/store.ts'

type PayersStore = Pick<
  Store,
  'users' | 'follows' | 'queryFeeds' | 'queryFeedOwners' | 'sources' | 'sourceByUrl' | 'sourceAdders'
>

type Origins = () => Promise<ReadonlyMap<string, readonly FeedOrigin[]>>

/** What one user follows or reads: everything, or these. */
interface Bill {
  all: boolean
  readonly sources: Set<SourceId>
}

/**
 * A source is paid for by all who follow it or whose query feeds read it, also through other feeds; if nobody does, by the
 * member who added it, and else by the owner. A node with one user has nothing to find out.
 */
export function findPayers(store: PayersStore, origins: Origins): FindPayers {
  let alone: PayerMap | null = null
  return async () => {
    const users = await store.users()
    const owner = users.find(({ role }) => role === 'owner')?.id ?? users[0]?.id ?? 0
    if (users.length <= 1) {
      const payers = [owner]
      if (alone?.owner !== owner) alone = { owner, of: () => payers }
      return alone
    }
    const known = new Set(users.map(({ id }) => id))
    const bills = await billsOf(store, origins)
    const adders = await store.sourceAdders()
    return mapOf(owner, bills, (id) => {
      const adder = adders.get(id)
      return [adder !== undefined && known.has(adder) ? adder : owner]
    })
  }
}

function mapOf(
  owner: UserId,
  bills: ReadonlyMap<UserId, Bill>,
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
  return { owner, of: (id) => of.get(id) ?? (ofAll.length > 0 ? ofAll : otherwise(id)) }
}

async function billsOf(store: PayersStore, origins: Origins): Promise<ReadonlyMap<UserId, Bill>> {
  const bills = new Map<UserId, Bill>()
  const billOf = (userId: UserId): Bill => {
    const bill = bills.get(userId) ?? { all: false, sources: new Set<SourceId>() }
    bills.set(userId, bill)
    return bill
  }
  const resolve = resolver(store, await origins())
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

/** Which sources a feed reads in the end; each category and name is looked up once. */
function resolver(store: PayersStore, origins: ReadonlyMap<string, readonly FeedOrigin[]>) {
  const looked = new Map<string, Promise<readonly SourceId[]>>()
  const lookUp = ({ kind, name }: Pick<FeedOrigin, 'kind' | 'name'>): Promise<readonly SourceId[]> => {
    const key = `${kind} ${name}`
    const known = looked.get(key) ?? idsOf(store, kind, name)
    looked.set(key, known)
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
  if (kind === 'category') return (await allSources(store, { category: name })).map(({ id }) => id)
  if (kind === 'source') return (await store.sources({ names: [name] })).map(({ id }) => id)
  const source = kind === 'url' ? await store.sourceByUrl(name) : null
  return source === null ? [] : [source.id]
}
