import type { SourceId, UserId } from '../../model/index.ts'
import type { ReaderFeed } from '../readers/library.ts'
import { feedNumber } from '../readers/numbers.ts'

/** What a stream id names; whether it is there is another question. */
export type Stream =
  | { readonly kind: 'state'; readonly state: StreamState }
  | { readonly kind: 'feed'; readonly number: number }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'label'; readonly label: string }

export type StreamState = 'reading-list' | 'read' | 'unread' | 'starred' | 'empty'

const STATES: Readonly<Record<string, StreamState>> = {
  'reading-list': 'reading-list',
  read: 'read',
  'kept-unread': 'unread',
  fresh: 'unread',
  starred: 'starred',
  // What Google had and nobody keeps here: there, and without items.
  ...{ broadcast: 'empty', like: 'empty', created: 'empty', 'tracking-kept-unread': 'empty' },
}

export const STATE_PREFIX = 'user/-/state/com.google/'
export const LABEL_PREFIX = 'user/-/label/'

/** null: no form of a stream id, or of another user. */
export function parseStream(id: string, userId: UserId): Stream | null {
  const [, owner, kind, name] = /^user\/([^/]+)\/(state\/com\.google|label)\/(.+)$/s.exec(id) ?? []
  if (owner !== undefined && kind !== undefined && name !== undefined) {
    if (owner !== '-' && owner !== String(userId)) return null
    if (kind === 'label') return { kind: 'label', label: name }
    const state = Object.hasOwn(STATES, name) ? STATES[name] : undefined
    return state === undefined ? null : { kind: 'state', state }
  }
  const feed = /^feed\/(.+)$/s.exec(id)?.[1]
  if (feed === undefined) return null
  return /^\d{1,15}$/.test(feed) ? { kind: 'feed', number: Number(feed) } : { kind: 'url', url: feed }
}

export function sourceStream(id: SourceId): string {
  return `feed/${id}`
}

export function queryStream({ feed }: ReaderFeed): string {
  return `feed/${feedNumber(feed.id)}`
}

export function labelStream(label: string): string {
  return LABEL_PREFIX + label
}

/** A query feed by the name of a folder goes by another one, so that both can be told apart. */
export function feedLabel({ feed }: ReaderFeed, folders: ReadonlySet<string>): string {
  return folders.has(feed.name) ? `${feed.name} (query feed)` : feed.name
}
