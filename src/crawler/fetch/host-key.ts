import { parseUrl } from '../../runtime/parse-url.ts'
/** What politeness and Retry-After are about: host name and port, lower case, without credentials. */
export function hostKey(url: URL | string): string {
  // Nothing is ever sent to what is no URL; any key will do that no host has.
  const parsed = typeof url === 'string' ? parseUrl(url) : url
  if (parsed === null) return ''
  const { hostname, port, protocol } = parsed
  // The parser lower-cases names; a final dot names the same host.
  return `${hostname.replace(/\.$/, '')}:${port || (protocol === 'https:' ? '443' : '80')}`
}
