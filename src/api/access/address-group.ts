import ipaddr from 'ipaddr.js'

/** Who is one client, by address: an IPv4 address, or the /64 that one IPv6 customer is given whole (RFC 6177). */
export function addressGroup(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const parts = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16))
  return `${parts.join(':')}::/64`
}
