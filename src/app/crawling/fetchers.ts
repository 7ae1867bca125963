import { createHmac } from 'node:crypto'
import type { FeedFetcher } from '../../publisher/feeds.ts'
import type { Fetch } from '../../store/scheduling.ts'

/** Enough that two fetchers of a node are hardly ever taken for one. */
const HASH_BYTES = 9

/**
 * A fetcher as it is stored: hashes of address and program under a key that is not in the database, so that nobody
 * finds the address by trying all of them. Numbers in the name of a program (versions, counts of subscribers) change; it
 * stays the same fetcher.
 */
export function fetcherName(key: string, { address, userAgent }: FeedFetcher): string {
  return `${hashed(key, `address ${address}`)}.${hashed(key, `agent ${userAgent.replace(/\d+/g, '#')}`)}`
}

function hashed(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest().subarray(0, HASH_BYTES).toString('base64url')
}

/** "Feedly/1.0 (+http://www.feedly.com/fetcher.html; 123 subscribers; …)": for how many it says it asks; 0: it does not say. */
export function saidSubscribers(userAgent: string): number {
  const match = /(?<!\d)(\d{1,9}) (?:subscribers?|readers?)\b/i.exec(userAgent)
  return match === null ? 0 : Number(match[1])
}

/** Programs of one address that count: a household or an office, not somebody who changes its name at every request. */
const AGENTS_PER_ADDRESS = 8
/** The rest of a feed's fetchers are counted together. */
const MOST_NAMED = 200

export interface Crowd {
  readonly name: string
  readonly count: number
}

/**
 * The readers that the fetchers of one feed stand for: each is one. One that says how many subscribers it has counts for up
 * to `believed` of them; but no address and no program says so more than once.
 */
export function readersAmong(feed: string, fetches: readonly Fetch[], believed: number): readonly Crowd[] {
  const newestFirst = fetches.toSorted((a, b) => b.at - a.at || (a.reader < b.reader ? -1 : 1))
  const counted = new Map<string, number>()
  const named = newestFirst.filter(({ reader }) => {
    const [address = ''] = reader.split('.')
    const count = (counted.get(address) ?? 0) + 1
    counted.set(address, count)
    return count <= AGENTS_PER_ADDRESS
  })
  const most = new Set<string>()
  const mostFirst = named.toSorted((a, b) => b.subscribers - a.subscribers)
  const readers = mostFirst.map(({ reader, subscribers }): Crowd => {
    const [address = '', agent = ''] = reader.split('.')
    const isFirst = !most.has(address) && !most.has(agent)
    if (isFirst && subscribers > 1) most.add(address).add(agent)
    return { name: `fetcher ${reader}`, count: isFirst ? Math.max(1, Math.min(believed, subscribers)) : 1 }
  })
  if (readers.length <= MOST_NAMED) return readers
  const rest = readers.slice(MOST_NAMED - 1).reduce((sum, { count }) => sum + count, 0)
  return [...readers.slice(0, MOST_NAMED - 1), { name: `others of ${feed}`, count: rest }]
}
