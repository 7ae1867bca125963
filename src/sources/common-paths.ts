import { tableOf } from '../model/table.ts'

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

/**
 * Addresses worth a try for a page that names no feed: first what the address itself shows on sites whose feeds follow
 * a rule, then the common paths below the page and below the root of its site.
 */
export function commonFeedPaths(pageUrl: string): string[] {
  if (!URL.canParse(pageUrl)) return []
  const page = new URL(pageUrl)
  if (page.protocol !== 'http:' && page.protocol !== 'https:') return []
  const known = knownSite(page)
  const folder = page.pathname.replace(/\/[^/]*\.[a-z0-9]{2,5}$/i, '/').replace(/\/+$/, '')
  const below =
    folder === '' || known.length > 0 ? [] : PATHS.slice(0, 3).map((path) => `${page.origin}${folder}${path}`)
  return [...new Set([...known, ...below, ...PATHS.map((path) => `${page.origin}${path}`)])]
}

type SiteRule = (page: URL, steps: readonly string[]) => string[]

const YOUTUBE = 'https://www.youtube.com/feeds/videos.xml'

const youtube: SiteRule = (page, [first, second]) => {
  const playlist = page.searchParams.get('list')
  if (playlist !== null) return [`${YOUTUBE}?playlist_id=${encodeURIComponent(playlist)}`]
  if (first === 'channel' && second !== undefined) return [`${YOUTUBE}?channel_id=${second}`]
  if (first === 'user' && second !== undefined) return [`${YOUTUBE}?user=${second}`]
  // @names and /c/ need the page, whose link element has the feed.
  return []
}

const reddit: SiteRule = (page, steps) => {
  const path = steps.join('/').replace(/\.rss$/, '')
  return [`${page.origin}/${path}${path === '' ? '' : '/'}.rss`]
}

const github: SiteRule = (_, [owner, repository, section, branch]) => {
  if (owner === undefined) return []
  if (repository === undefined) return [`https://github.com/${owner}.atom`]
  const base = `https://github.com/${owner}/${repository}`
  if (section === 'commits' || section === 'tree') return [`${base}/commits/${branch ?? 'HEAD'}.atom`]
  const order = section === 'tags' ? ['tags', 'releases'] : ['releases', 'tags']
  return [...order.map((kind) => `${base}/${kind}.atom`), `${base}/commits.atom`]
}

const gitlab: SiteRule = (page, [owner, project]) => {
  if (owner === undefined) return []
  if (project === undefined) return [`${page.origin}/${owner}.atom`]
  return [`${page.origin}/${owner}/${project}/-/tags?format=atom`, `${page.origin}/${owner}/${project}.atom`]
}

const medium: SiteRule = (page, [first]) => (first === undefined ? [] : [`${page.origin}/feed/${first}`])
const vimeo: SiteRule = (page, [first]) => (first === undefined ? [] : [`${page.origin}/${first}/videos/rss`])
const stackExchange: SiteRule = (page, [first, second, third]) => {
  if (first === 'questions' && second === 'tagged' && third !== undefined) return [`${page.origin}/feeds/tag/${third}`]
  if (first === 'questions' && second !== undefined) return [`${page.origin}/feeds/question/${second}`]
  return [`${page.origin}/feeds`]
}

const SITES = tableOf<SiteRule>({
  'youtube.com': youtube,
  'reddit.com': reddit,
  'github.com': github,
  'gitlab.com': gitlab,
  'medium.com': medium,
  'vimeo.com': vimeo,
  'stackoverflow.com': stackExchange,
})

function knownSite(page: URL): string[] {
  const host = page.hostname.replace(/^(?:www|m|old|new)\./, '')
  const steps = page.pathname.split('/').filter((step) => step !== '')
  const rule = SITES[host] ?? (host.endsWith('.stackexchange.com') ? stackExchange : undefined)
  if (rule !== undefined) return rule(page, steps)
  if (host.endsWith('.substack.com') || host.endsWith('.wordpress.com')) return [`${page.origin}/feed`]
  if (host.endsWith('.blogspot.com')) return [`${page.origin}/feeds/posts/default`]
  if (host.endsWith('.tumblr.com') || host.endsWith('.bearblog.dev')) return [`${page.origin}/rss`]
  return fediverse(page, steps)
}

/** Mastodon and its kin: https://host/@name, and the same below /users/. */
function fediverse(page: URL, [first, second]: readonly string[]): string[] {
  if (first?.match(/^@\w[\w.-]*$/) && second === undefined) return [`${page.origin}/${first}.rss`]
  if (first === 'users' && second !== undefined) return [`${page.origin}/@${second}.rss`]
  if (first === 'tags' && second !== undefined) return [`${page.origin}/tags/${second}.rss`]
  return []
}
