import ipaddr from 'ipaddr.js'
import { tableOf } from '../model/table.ts'
import { HeadwaterError } from '../runtime/errors.ts'

export type Address = ipaddr.IPv4 | ipaddr.IPv6
export type Range = readonly [Address, number]

/**
 * Everything that is not the public internet, after the IANA special-purpose address registries (RFC 6890 and its
 * updates).
 */
const REFUSED_V4 = [
  '0.0.0.0/8', // this network, RFC 791
  '10.0.0.0/8', // private, RFC 1918
  '100.64.0.0/10', // carrier-grade NAT, RFC 6598
  '127.0.0.0/8', // loopback, RFC 1122
  '169.254.0.0/16', // link-local, RFC 3927; holds the metadata services of the clouds
  '172.16.0.0/12', // private, RFC 1918
  '192.0.0.0/24', // protocol assignments, RFC 6890
  '192.0.2.0/24', // documentation, RFC 5737
  '192.88.99.0/24', // 6to4 relays, deprecated by RFC 7526
  '192.168.0.0/16', // private, RFC 1918
  '198.18.0.0/15', // benchmarking, RFC 2544
  '198.51.100.0/24', // documentation, RFC 5737
  '203.0.113.0/24', // documentation, RFC 5737
  '224.0.0.0/4', // multicast, RFC 5771
  '240.0.0.0/4', // reserved and broadcast, RFC 1112, RFC 919
] as const

/** Only 2000::/3 is given out for the internet (RFC 4291 §2.4); these parts of it are not. */
const REFUSED_V6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID …, RFC 2928
  '2001:db8::/32', // documentation, RFC 3849
  '3fff::/20', // documentation, RFC 9637
] as const

const NAMED = tableOf<readonly string[]>({
  loopback: ['127.0.0.0/8', '::1/128'],
  // Not link-local: allowing one's own network does not mean the metadata service of the cloud.
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
})

export const refusedV4: readonly Range[] = REFUSED_V4.map((cidr) => ipaddr.parseCIDR(cidr))
export const refusedV6: readonly Range[] = REFUSED_V6.map((cidr) => ipaddr.parseCIDR(cidr))
export const globalV6: Range = ipaddr.parseCIDR('2000::/3')

export function inRange(address: Address, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}

/** Reads what a user allows: `192.168.1.0/24`, `::1`, `loopback`, `private`. Throws USAGE on anything else. */
export function parseAllowedRanges(texts: readonly string[]): readonly Range[] {
  return texts.flatMap((text) => {
    const named = NAMED[text.trim().toLowerCase()]
    return named === undefined ? [parseRange(text.trim())] : named.map((cidr): Range => ipaddr.parseCIDR(cidr))
  })
}

function parseRange(text: string): Range {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text)
    const address = ipaddr.parse(text)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  } catch (cause) {
    const detail = `"${text}" is no address range; give 192.168.1.0/24, fd00::/8, loopback or private`
    throw new HeadwaterError('USAGE', detail, { cause })
  }
}
