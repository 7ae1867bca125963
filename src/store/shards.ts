import type { LeaseToken, Shard } from '../model/index.ts'
import { registrableDomain } from '../runtime/registrable-domain.ts'

/** Some of the sources: those whose shard is one of these. */
export interface SourcePart {
  readonly shards: ReadonlySet<Shard>
  /** How many shards there are. */
  readonly of: number
  /** By which leases they are; absent: by none. A store of many members leaves out shards that another has by now. */
  readonly tokens?: ReadonlyMap<Shard, LeaseToken>
}

/** By registrable domain: what is fetched from one site is fetched by one process, which knows how to be polite to it. */
export function shardOf(url: string, of: number): number {
  return hash(siteOf(url)) % of
}

/** Without a part all sources are meant. */
export function isInPart(url: string, part: SourcePart | undefined): boolean {
  return part === undefined || part.shards.has(shardOf(url, part.of))
}

/** `feeds.example.co.uk` is `example.co.uk`; an address or a name without a public suffix stands for itself. */
function siteOf(url: string): string {
  const hostname = hostnameOf(url)
  return registrableDomain(hostname) ?? hostname
}

/** What is no address stands for itself. */
function hostnameOf(url: string): string {
  try {
    return new URL(url).hostname
  } catch {
    return url
  }
}

/**
 * FNV-1a of the UTF-16 units, its bits spread by the finaliser of MurmurHash3, as an unsigned number of 32 bits. Shards are
 * stored by their owners: it must never change.
 */
function hash(text: string): number {
  let h = 0x811c9dc5
  for (let at = 0; at < text.length; at++) h = Math.imul(h ^ text.charCodeAt(at), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
