import { lookup } from 'node:dns'
import { promisify } from 'node:util'
import ipaddr from 'ipaddr.js'
import type { Resolve } from '../../http/connector.ts'

const lookupAll = promisify(lookup)
const systemResolve: Resolve = (hostname) => lookupAll(hostname, { all: true })

/** Hosts whose addresses are remembered; the least recently resolved go first. */
const MOST_HOSTS = 50_000

/**
 * Which hosts live on the same machines, learnt from what the resolver answered anyway: a thousand blogs of one hoster
 * have a thousand names and one front door. Never resolves a name itself.
 */
export class AddressGroups {
  readonly #groups = new Map<string, string>()
  readonly #ask: Resolve

  constructor(ask: Resolve = systemResolve) {
    this.#ask = ask
  }

  /** For the fetcher, in place of the system's resolver. */
  readonly resolve: Resolve = async (hostname) => {
    const addresses = await this.#ask(hostname)
    this.learn(
      hostname,
      addresses.map(({ address }) => address),
    )
    return addresses
  }

  learn(hostname: string, addresses: readonly string[]): void {
    const groups = addresses.map(groupOf).filter((group) => group !== null)
    this.#groups.delete(hostname)
    const [least] = groups.sort()
    if (least !== undefined) this.#groups.set(hostname, least)
    for (const oldest of this.#groups.keys()) {
      if (this.#groups.size <= MOST_HOSTS) break
      this.#groups.delete(oldest)
    }
  }

  /** null: never resolved, or not on the public internet. */
  of(hostname: string): string | null {
    return this.#groups.get(hostname) ?? null
  }
}

/** The neighbourhood of a public address: /24 and /48, what one hoster is usually given. */
export function groupOf(address: string): string | null {
  if (!ipaddr.isValid(address)) return null
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return null
  if (parsed.kind() === 'ipv4') return `${parsed.toByteArray().slice(0, 3).join('.')}.0/24`
  const parts = (parsed as ipaddr.IPv6).parts.slice(0, 3).map((part) => part.toString(16))
  return `${parts.join(':')}::/48`
}
