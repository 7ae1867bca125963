import { HeadwaterError } from '../../runtime/errors.ts'
import { parseUrl } from '../../runtime/parse-url.ts'

/** Of whatever was pasted: what is known to stand below the address of a node. */
const BELOW = /\/(?:\.well-known\/headwater|(?:feeds|api|peer)(?:\/.*)?|hub)$/

/** The address of a node, which may stand below a path of its host. Throws FETCH_BAD_URL. */
export function nodeUrl(text: string): string {
  const url = parseUrl(text.includes('://') ? text : `https://${text}`)
  if (url === null || !/^https?:$/.test(url.protocol)) throw new HeadwaterError('FETCH_BAD_URL', text.slice(0, 200))
  return url.origin + url.pathname.replace(BELOW, '').replace(/\/+$/, '')
}
