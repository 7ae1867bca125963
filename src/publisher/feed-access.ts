import { createHash, timingSafeEqual } from 'node:crypto'
import type { Store } from '../store/store.ts'
import type { FeedAddress } from './addresses.ts'

/** `open`: for everybody, or there is no such feed. */
export type Access = 'open' | 'granted' | 'denied'

/** Who may read a private feed: whoever shows one of its tokens. */
export type CheckAccess = (address: FeedAddress, token: string | null) => Promise<Access>

export function createAccessCheck(store: Pick<Store, 'queryFeed' | 'feedTokens'>): CheckAccess {
  return async (address, token) => {
    const feed = address.kind === 'query' ? await store.queryFeed(address.name) : null
    if (feed === null || !feed.isPrivate) return 'open'
    if (token === null) return 'denied'
    const given = Buffer.from(tokenHash(token))
    // All of them, and each to its end: the time taken says nothing about how near a guess was.
    const matches = (await store.feedTokens(feed.id)).filter(({ hash }) => isEqual(given, Buffer.from(hash)))
    return matches.length > 0 ? 'granted' : 'denied'
  }
}

/** Tokens are random and long, so that a plain hash cannot be turned back; no salt is needed (unlike for passwords). */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}
