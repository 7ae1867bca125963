import { parseUrl } from '../runtime/parse-url.ts'

/** Where sites keep their feeds, by how often that is so. */
const PATHS = [
  '/feed',
  '/rss.xml',
  '/atom.xml',
  '/feed.xml',
  '/index.xml',
  '/rss',
  '/feed.json',
  '/feeds/posts/default',
]

/** Addresses worth a try for a page that names no feed: the common paths below the page and below the root of its site. */
export function commonFeedPaths(pageUrl: string): string[] {
  const page = parseUrl(pageUrl)
  if (page === null) return []
  if (page.protocol !== 'http:' && page.protocol !== 'https:') return []
  const folder = page.pathname.replace(/\/[^/]*\.[a-z0-9]{2,5}$/i, '/').replace(/\/+$/, '')
  const below = folder === '' ? [] : PATHS.slice(0, 3).map((path) => `${page.origin}${folder}${path}`)
  return [...new Set([...below, ...PATHS.map((path) => `${page.origin}${path}`)])]
}
