import type * as Tldts from 'tldts'
import { loadLater } from './load-later.ts'

const tldts = loadLater<typeof Tldts>('tldts')

/** `example.co.uk` of `feeds.example.co.uk`, by the list of public suffixes; null: an address, or a name without such a suffix. */
export function registrableDomain(hostname: string): string | null {
  return tldts().getDomain(hostname)
}
