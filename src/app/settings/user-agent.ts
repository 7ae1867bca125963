import { VERSION } from '../version.ts'
import type { Config } from './config.ts'

/**
 * How the node introduces itself to sites. The owner of a site must be able to find and write to the sender, so a
 * web address is there as crawlers give it (`+https://…`), or a mail address.
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
