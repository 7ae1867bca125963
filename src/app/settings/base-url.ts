import { networkInterfaces } from 'node:os'
import type { Config } from './config.ts'

/**
 * The address that published feeds and messages name. A node that serves on all addresses of its machine is meant for others,
 * for whom `localhost` would be their own machine: there it is the first address that others can reach.
 */
export function baseUrlOf(
  { publicUrl, host }: Pick<Config, 'publicUrl' | 'host'>,
  port: number,
  addresses: readonly string[] = outerAddresses(),
): string {
  return publicUrl ?? `http://${urlHost(isAny(host) ? (addresses[0] ?? 'localhost') : host)}:${port}`
}

/** Only this machine reaches it. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

function isAny(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

/** IPv4 first: links are read by people and by old programs. */
function outerAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const outer = all.filter(({ internal, address }) => !internal && !/^(?:fe80|169\.254\.)/i.test(address))
  return [...outer].sort((a, b) => a.family.localeCompare(b.family)).map(({ address }) => address)
}
