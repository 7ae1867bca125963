import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { buildConnector } from 'undici'
import type { DurationMs } from '../model/index.ts'
import { type AddressGuard, isLocalhostName } from './address-guard.ts'
import { FetchFailure } from './failure.ts'

/** Finds the addresses of a host name; rejects with a code such as ENOTFOUND. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

export interface ConnectSettings {
  readonly connectTimeoutMs: DurationMs
  /** Instead of the system's resolver; its answers are checked all the same. */
  readonly resolve: Resolve | null
}

const LOOPBACK: readonly LookupAddress[] = [{ address: '127.0.0.1', family: 4 }]

const lookupAll = promisify(systemLookup)

const systemResolve: Resolve = (hostname) => lookupAll(hostname, { all: true })

/**
 * A lookup that hands on only allowed addresses. The socket connects to what was checked: there is no second question
 * that DNS could answer differently (rebinding).
 */
function guardedLookup(guard: AddressGuard, resolve: Resolve | null): LookupFunction {
  const ask = resolve ?? systemResolve
  return (hostname, options, callback) => {
    const found = isLocalhostName(hostname) ? Promise.resolve(LOOPBACK) : ask(hostname)
    found.then(
      (addresses) => {
        const family = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : (options.family ?? 0)
        const usable = addresses.filter((a) => family === 0 || a.family === family)
        const allowed = usable.filter((a) => guard.allows(a.address))
        const first = allowed[0]
        if (first === undefined) callback(noAddress(hostname, usable), '', 4)
        else if (options.all) callback(null, [...allowed])
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 4),
    )
  }
}

function noAddress(hostname: string, addresses: readonly LookupAddress[]): Error {
  if (addresses.length === 0) return new FetchFailure('FETCH_DNS', `${hostname} has no address`)
  return new FetchFailure('FETCH_ADDRESS_REFUSED', `${hostname} is ${addresses.map((a) => a.address).join(', ')}`)
}

export function connectOptions(settings: ConnectSettings, guard: AddressGuard) {
  return {
    timeout: settings.connectTimeoutMs,
    lookup: guardedLookup(guard, settings.resolve),
    // TCP's own probes begin after a minute; no connection is kept or waited for as long without a word.
    keepAlive: false,
    // Sessions are of use only while a host is visited again and again; a hundred are plenty.
    maxCachedSessions: 100,
  }
}

/** Checks, last of all, the address that the socket is really connected to. */
export function checkedConnector(connect: buildConnector.connector, guard: AddressGuard): buildConnector.connector {
  return (options, callback) => {
    connect(options, (error, socket) => {
      if (error !== null) return callback(error, null)
      const address = socket.remoteAddress
      // A socket that closed again at once has no address; undici sees that it is dead.
      if (address === undefined || guard.allows(address)) return callback(null, socket)
      socket.on('error', () => {}).destroy()
      callback(new FetchFailure('FETCH_ADDRESS_REFUSED', `${options.hostname} is ${address}`), null)
    })
  }
}

export function guardedConnector(settings: ConnectSettings, guard: AddressGuard): buildConnector.connector {
  return checkedConnector(buildConnector(connectOptions(settings, guard)), guard)
}
