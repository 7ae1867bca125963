import { parseUrl } from '../runtime/parse-url.ts'
import { registrableDomain } from '../runtime/registrable-domain.ts'

/**
 * What each site holds of something that all of them share, so that one that hangs holds its part of it and no more. Ports and
 * names below a domain are one site: who owns it can have as many of them as they like.
 */
export class HostShares {
  readonly #most: number
  readonly #counts = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Takes one for the site of this address, and says how to give it back; null: the site has all that it may. */
  take(url: string): (() => void) | null {
    const hostname = parseUrl(url)?.hostname ?? ''
    const site = registrableDomain(hostname) ?? hostname
    const count = this.#counts.get(site) ?? 0
    if (count >= this.#most) return null
    this.#counts.set(site, count + 1)
    return () => this.#giveBack(site)
  }

  #giveBack(site: string): void {
    const others = (this.#counts.get(site) ?? 1) - 1
    if (others === 0) this.#counts.delete(site)
    else this.#counts.set(site, others)
  }
}
