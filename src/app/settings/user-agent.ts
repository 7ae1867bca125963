import { VERSION } from '../version.ts'
import type { Config } from './config.ts'

/**
 * How the node introduces itself to sites. Whoever runs a site must be able to find out who asks and to write to them, so a
 * web address stands there as crawlers give it (`+https://…`), or a mail address.
 */
export function userAgentOf({
  userAgent,
  contact,
  publicUrl,
}: Pick<Config, 'userAgent' | 'contact' | 'publicUrl'>): string {
  if (userAgent !== undefined) return userAgent
  const whom = contact ?? publicUrl
  return `Headwater/${VERSION} (feed aggregator${whom === undefined ? '' : `; ${whom.includes('://') ? '+' : ''}${whom}`})`
}
