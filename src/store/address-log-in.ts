import type { SourceSettings } from '../model/index.ts'
import { parseUrl } from '../runtime/parse-url.ts'

/**
 * A log-in in an address (`https://me:secret@example.org/feed`) is stored apart from it, as `basicAuth`: addresses are in
 * indexes, lists, errors and logs. One that is given in so many words counts more.
 */
export function withLogInApart<Settings extends Partial<SourceSettings>>(settings: Settings): Settings {
  const url = settings.url === undefined ? null : withLogIn(settings.url)
  if (url === null) return settings
  const basicAuth = settings.basicAuth ?? { user: decoded(url.username), password: decoded(url.password) }
  return { ...settings, url: withoutLogIn(url.href), basicAuth }
}

export function withoutLogIn(address: string): string {
  const url = withLogIn(address)
  if (url === null) return address
  url.username = ''
  url.password = ''
  return url.href
}

/** null: it has none. */
function withLogIn(address: string): URL | null {
  const url = address.includes('@') ? parseUrl(address) : null
  return url === null || (url.username === '' && url.password === '') ? null : url
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
