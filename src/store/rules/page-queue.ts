import { SHARDS } from '../../cluster/shards.ts'
import type { ParsedItem, Shard } from '../../model/index.ts'
import { parseUrl } from '../../runtime/parse-url.ts'
import { shardOf } from '../shards.ts'

/** Longer addresses are made to do harm. */
const LONGEST_ADDRESS = 4_000

/** The page of an item that is to be fetched; null: none. */
export function pageToFetch({
  link,
}: Pick<ParsedItem, 'link'>): { readonly url: string; readonly shard: Shard } | null {
  if (link === null || link.length > LONGEST_ADDRESS) return null
  const url = parseUrl(link)
  if (url === null) return null
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  url.hash = ''
  return { url: url.href, shard: shardOf(url.href, SHARDS) }
}
