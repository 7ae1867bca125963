import { HeadwaterError } from '../../runtime/errors.ts'
import { parseUrl } from '../../runtime/parse-url.ts'

/** What is known to stand below the address of a node. */
const BELOW = /\/(?:\.well-known\/headwater|(?:feeds|api|peer)(?:\/.*)?|hub)$/
/** Asked at most, to find the node of one address. */
const MOST_ADDRESSES = 6

/**
 * Where the node may stand that this was copied from, the likeliest first: a node may be below a path of its host, and what people
 * paste is often a page of its dashboard or a feed. Throws FETCH_BAD_URL.
 */
export function nodeAddresses(text: string): readonly [string, ...string[]] {
  const url = parseUrl(text.includes('://') ? text : `https://${text}`)
  if (url === null || !/^https?:$/.test(url.protocol)) throw new HeadwaterError('FETCH_BAD_URL', text.slice(0, 200))
  const path = url.pathname.replace(/\/+$/, '')
  const [first = '', ...others] = new Set([...upwards(path.replace(BELOW, '')), ...upwards(path)])
  const paths = others.length < MOST_ADDRESSES ? others : [...others.slice(0, MOST_ADDRESSES - 2), '']
  return [url.origin + first, ...paths.map((other) => url.origin + other)]
}

/** A path, what it stands in, and so on up to the top, which is empty. */
function upwards(path: string): readonly string[] {
  const above = path.replace(/\/+[^/]*$/, '')
  return above === path ? [path] : [path, ...upwards(above)]
}
