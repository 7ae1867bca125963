import { parseUrl } from '../runtime/parse-url.ts'

/**
 * Below which path a browser sees this node, as '/reader'; '' at the top. A proxy takes the path off before it passes a request
 * on, so that the host alone tells who came by the public address, and who came to the node itself.
 */
export function basePathFor(host: string | undefined, publicUrl: string): string {
  const url = parseUrl(publicUrl)
  // Some proxies leave the port out.
  if (url === null || (host !== url.host && host !== url.hostname)) return ''
  return url.pathname.replace(/\/+$/, '')
}
