import { HeadwaterError } from '../runtime/errors.ts'
import { parseUrl } from '../runtime/parse-url.ts'

const FEED_SCHEME = /^(?:feed|web\+feed|rss|pcast|podcast|itpc|itms-podcasts|view-source):(?:\/\/)?/i
const HTTP = /^https?:/i
const SCHEME = /^[a-z][a-z0-9+.-]*:/i
// `example.org:8080/feed` begins with a host and a port, not with a scheme.
const HOST_AND_PORT = /^[^/?#:]+:\d{1,5}(?:[/?#]|$)/

/**
 * The address of a source as it is stored: http or https, host in lower case, no fragment, nothing around it. Takes what
 * people paste: `example.org/feed`, `feed://…`, `feed:https://…`, `<https://…>`.
 */
export function normalizeSourceUrl(input: string): string {
  const url = parse(withScheme(unwrapped(input)), input)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new HeadwaterError('FETCH_BAD_URL', `${quoted(input)} begins with ${url.protocol} instead of http: or https:`)
  }
  url.hash = ''
  return url.href
}

/** Marks around an address go in pairs; a lone one at the end may belong to it. */
function unwrapped(input: string): string {
  const text = input.trim()
  const inner = /^(?:<(.*)>|"(.*)"|'(.*)')$/s.exec(text)
  return inner === null ? text : unwrapped(inner[1] ?? inner[2] ?? inner[3] ?? '')
}

/** Whether http or https was written, so that nothing has to be guessed. */
export function hasHttpScheme(input: string): boolean {
  return HTTP.test(unwrapped(input).replace(FEED_SCHEME, ''))
}

function withScheme(text: string): string {
  // `https//example.org` lacks a sign: no host is called https.
  const bare = text.replace(FEED_SCHEME, '').replace(/^(https?)\/\//i, '$1://')
  // feed://example.org/ names a host, feed:https://example.org/ a whole address.
  if (HTTP.test(bare)) return bare.replace(/^(https?):(?!\/\/)\/?/i, '$1://')
  if (bare.startsWith('//')) return `https:${bare}`
  if (SCHEME.test(bare) && !HOST_AND_PORT.test(bare)) return bare
  return `https://${bare}`
}

function parse(url: string, input: string): URL {
  const parsed = parseUrl(url)
  if (parsed === null) throw new HeadwaterError('FETCH_BAD_URL', quoted(input))
  if (parsed.hostname === '') throw new HeadwaterError('FETCH_BAD_URL', `${quoted(input)} names no host`)
  return parsed
}

function quoted(input: string): string {
  return JSON.stringify(input.length > 200 ? `${input.slice(0, 200)}…` : input)
}
