import type { ParsedFeed } from '../../model/index.ts'
import { parseUrl } from '../../runtime/parse-url.ts'

/** Where older items of a feed can be read, and by which custom. */
export interface OlderPage {
  readonly url: string
  /**
   * `archive`: RFC 5005 §4, a chain of documents that no longer change. `paged`: RFC 5005 §3 and JSON Feed's next_url.
   * `wordpress`: ?paged=2, 3 …, which its feeds understand without announcing it.
   */
  readonly how: 'archive' | 'paged' | 'wordpress'
}

/** The page before the feed as such; null where the source offers none. */
export function firstOlderPage(feed: ParsedFeed, url: string): OlderPage | null {
  const { prevArchiveUrl, nextUrl } = feed.hints
  if (prevArchiveUrl !== null) return usable({ url: prevArchiveUrl, how: 'archive' }, url)
  if (nextUrl !== null) return usable({ url: nextUrl, how: 'paged' }, url)
  return isWordPress(feed) ? usable({ url: withPage(url, 2), how: 'wordpress' }, url) : null
}

/** The page before an older page. */
export function nextOlderPage(page: OlderPage, feed: ParsedFeed): OlderPage | null {
  const { prevArchiveUrl, nextUrl } = feed.hints
  if (page.how === 'wordpress') {
    const number = Number(new URL(page.url).searchParams.get('paged'))
    return { url: withPage(page.url, number + 1), how: 'wordpress' }
  }
  const url = page.how === 'archive' ? prevArchiveUrl : nextUrl
  return url === null ? null : usable({ url, how: page.how }, page.url)
}

/** Its feeds name it as their generator: `https://wordpress.org/?v=6.4`. */
function isWordPress(feed: ParsedFeed): boolean {
  return /wordpress\.(org|com)/i.test(feed.generator ?? '')
}

function withPage(url: string, number: number): string {
  const paged = new URL(url)
  paged.searchParams.set('paged', String(number))
  return paged.href
}

/** Only the web, and never from https down to http, where anybody in between could invent a past. */
function usable(page: OlderPage, from: string): OlderPage | null {
  const protocol = parseUrl(page.url)?.protocol
  const wasSecure = from.toLowerCase().startsWith('https:')
  return protocol === 'https:' || (protocol === 'http:' && !wasSecure) ? page : null
}
