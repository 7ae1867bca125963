import { hasHttpScheme, normalizeSourceUrl } from '../source-url.ts'

/** Pages that lead to what is meant, or show it, and the parameters that say what that is. */
const IN_QUERY: readonly (readonly [form: RegExp, names: readonly string[]])[] = [
  [/^(?:www\.)?google\.[a-z.]+\/url$/, ['q', 'url']],
  [/^l\.(?:facebook|instagram|messenger)\.com\/(?:l\.php)?$/, ['u']],
  [/^(?:www\.)?duckduckgo\.com\/l\/$/, ['uddg']],
  [/^(?:www\.)?youtube\.com\/redirect$/, ['q']],
  [/^out\.reddit\.com\//, ['url']],
  [/^vk\.com\/away\.php$/, ['to']],
  [/^steamcommunity\.com\/linkfilter\/$/, ['url', 'u']],
  [/^translate\.google\.[a-z.]+\/translate$/, ['u']],
  [/^[a-z0-9]+\.safelinks\.protection\.outlook\.com\/$/, ['url']],
  [/^validator\.w3\.org\/feed\/check\.cgi$/, ['url']],
  // Other readers, of which people bring their feeds.
  [/^(?:www\.)?inoreader\.com\/$/, ['add_feed']],
  [/^(?:www\.)?newsblur\.com\/$/, ['url']],
  [/^theoldreader\.com\/feeds\/subscribe$/, ['url']],
]

/** The same where it is the rest of the path: as it is, or encoded. A copy for telephones leaves the scheme away. */
const IN_PATH: readonly RegExp[] = [
  /^(?:www\.)?feedly\.com\/i\/subscription\/feed(?:\/|%2F)(.+)$/i,
  /^(?:www\.)?google\.[a-z.]+\/amp\/s\/(.+)$/,
]

/**
 * What search engines, networks, mail programs and readers wrap around an address when it is copied from them, and what git adds to
 * it. The rest of the address stays as it is.
 */
export function withoutWrapper(address: string): string {
  const url = new URL(address)
  const inner = innerOf(url)
  if (inner !== null) return normalizeSourceUrl(inner)
  if (!/^\/[^/]+\/.*[^/]\.git\/?$/.test(url.pathname)) return address
  url.pathname = url.pathname.replace(/\.git\/?$/, '')
  return url.href
}

function innerOf({ host, pathname, search, searchParams }: URL): string | null {
  const place = host + pathname
  const names = IN_QUERY.find(([form]) => form.test(place))?.[1] ?? []
  const named = names.map((name) => searchParams.get(name)).find((one) => one !== null && hasHttpScheme(one))
  if (named) return named
  for (const form of IN_PATH) {
    const [, rest] = form.exec(place) ?? []
    if (rest === undefined) continue
    const inner = /^https?%3A/i.test(rest) ? (decoded(rest) ?? rest) : rest + search
    return hasHttpScheme(inner) ? inner : `https://${inner}`
  }
  return null
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
