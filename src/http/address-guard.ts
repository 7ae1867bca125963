import { isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { entryAt } from '../model/entry-at.ts'
import {
  type Address,
  globalV6,
  inRange,
  parseAllowedRanges,
  type Range,
  refusedV4,
  refusedV6,
} from './address-ranges.ts'

/**
 * Keeps the crawler on the public internet, so that a feed or a redirect cannot make it talk to the machines around it
 * (server-side request forgery). Called three times: for literals in a URL, for every answer of DNS, and for the
 * address that a socket is really connected to.
 */
export interface AddressGuard {
  /** `address` in any writing of an IP address; what is none is not allowed. */
  allows(address: string): boolean
  /** Whether a host of a URL is known to be refused without asking DNS: a literal or a name of loopback. */
  refusesHost(hostname: string): boolean
}

const MOST_VERDICTS = 1_000

export function createAddressGuard(allowRanges: readonly string[]): AddressGuard {
  const allowed = parseAllowedRanges(allowRanges)
  const verdicts = new Map<string, boolean>()
  /** Remembered: literals are checked at every request, some five microseconds each. */
  const allows = (text: string) => {
    let verdict = verdicts.get(text)
    if (verdict === undefined) {
      if (verdicts.size >= MOST_VERDICTS) verdicts.clear()
      verdict = judge(text, allowed)
      verdicts.set(text, verdict)
    }
    return verdict
  }
  return {
    allows,
    refusesHost(hostname) {
      const literal = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
      if (isIP(literal) !== 0) return !allows(literal)
      return isLocalhostName(hostname) && !allows('127.0.0.1')
    },
  }
}

function judge(text: string, allowed: readonly Range[]): boolean {
  // A link-local address may carry its interface: fe80::1%eth0.
  const [withoutInterface = ''] = text.split('%', 1)
  const address = parse(withoutInterface)
  return address !== null && isAllowed(address, allowed)
}

/** `localhost` and everything below it is loopback, whatever DNS says (RFC 6761 §6.3). */
export function isLocalhostName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  return name === 'localhost' || name.endsWith('.localhost')
}

function parse(text: string): Address | null {
  // ipaddr.js takes ::8.8.8.8 for ::ffff:8.8.8.8; the URL parser rewrites a dotted end correctly.
  const written = isIPv6(text) && text.includes('.') ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text
  return ipaddr.isValid(written) ? ipaddr.parse(written) : null
}

function isAllowed(address: Address, allowed: readonly Range[]): boolean {
  if (allowed.some((range) => inRange(address, range))) return true
  if (address.kind() === 'ipv4') return !refusedV4.some((range) => inRange(address, range))
  const embedded = embeddedV4(address as ipaddr.IPv6)
  if (embedded !== null) return isAllowed(embedded, allowed)
  return inRange(address, globalV6) && !refusedV6.some((range) => inRange(address, range))
}

/**
 * The IPv4 address that packets to this IPv6 address end at. IPv4-compatible (::/96) and Teredo addresses are missing
 * on purpose: they are deprecated, lie in refused ranges, and stay refused.
 */
function embeddedV4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const p = address.parts
  const at = (i: number) => {
    const [high, low] = [entryAt(p, i), entryAt(p, i + 1)]
    return new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255])
  }
  const zeros = (from: number, to: number) => p.slice(from, to).every((part) => part === 0)
  if (zeros(0, 5) && p[5] === 0xffff) return at(6) // mapped, RFC 4291 §2.5.5.2
  if (zeros(0, 4) && p[4] === 0xffff && p[5] === 0) return at(6) // translated, RFC 2765 §2.1
  if (p[0] === 0x64 && p[1] === 0xff9b && zeros(2, 6)) return at(6) // NAT64, RFC 6052 §2.1
  if (p[0] === 0x2002) return at(1) // 6to4, RFC 3056 §2
  return null
}
