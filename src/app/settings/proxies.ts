import ipaddr from 'ipaddr.js'
import { inRange, parseAllowedRanges } from '../../http/address-ranges.ts'

/** Whether X-Forwarded-For of this address is believed. */
export function proxyCheck(trusted: readonly string[]): (address: string) => boolean {
  const ranges = parseAllowedRanges(trusted)
  return (address) => ipaddr.isValid(address) && ranges.some((range) => inRange(ipaddr.process(address), range))
}
