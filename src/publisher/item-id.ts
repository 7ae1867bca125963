import { createHash } from 'node:crypto'
import type { PublishedItem } from './published-feed.ts'
import { xmlText } from './xml-text.ts'

// RFC 3987 as far as it matters: a scheme, and none of the characters that no URI or IRI may hold.
const IRI = /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`\u0000-\u0020\u007F]+$/i
const SCRIPT = /^(?:javascript|vbscript|data):/i
const MAX_LENGTH = 2_000

/**
 * The id under which an item is published: the publisher's own where that is a URI or IRI, so that a reader who knows
 * the item from elsewhere knows it again; else a name of our own.
 */
export function publishedId(published: PublishedItem): string {
  const id = published.item.id?.trim() ?? ''
  return isPublishable(id) ? id : ownId(published)
}

/**
 * Made of what stays with an item as long as it is archived: neither the source's address, which a permanent redirect
 * replaces, nor the item's key, which changes when a publisher rewrites its guids. The moment the source was added
 * distinguishes what two data folders number alike.
 */
export function ownId({ item, source }: PublishedItem): string {
  const name = `${source.addedAt} ${item.seq}`
  return `urn:headwater:${createHash('sha256').update(name).digest('hex').slice(0, 32)}`
}

function isPublishable(id: string): boolean {
  return id.length <= MAX_LENGTH && IRI.test(id) && !SCRIPT.test(id) && xmlText(id) === id
}
