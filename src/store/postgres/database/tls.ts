import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { HeadwaterError } from '../../../runtime/errors.ts'
import { type HostAndPort, isLocal } from './hosts.ts'

const MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const
type Mode = (typeof MODES)[number]

/** As the parameters `sslmode`, `sslrootcert`, `sslcert` and `sslkey` of an address say; false: in plain. */
export function tlsOf(parameters: URLSearchParams, hosts: readonly HostAndPort[]): ConnectionOptions | false {
  const mode = modeOf(parameters, hosts)
  if (mode === 'disable') return false
  const file = (name: string) => {
    const path = parameters.get(name)
    return path === null ? undefined : readOption(name, path)
  }
  const [ca, cert, key] = [file('sslrootcert'), file('sslcert'), file('sslkey')]
  const options: ConnectionOptions = {
    // As in libpq: `require` alone asks for no certificate, but one that is given is used.
    rejectUnauthorized: mode !== 'require' || ca !== undefined,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  }
  return mode === 'verify-full' ? options : { ...options, checkServerIdentity: () => undefined }
}

function modeOf(parameters: URLSearchParams, hosts: readonly HostAndPort[]): Mode {
  const given = parameters.get('sslmode')
  if (given === null) return hosts.every(isLocal) ? 'disable' : 'verify-full'
  const mode = MODES.find((one) => one === given)
  if (mode === undefined) throw new HeadwaterError('STORE_URL_INVALID', `sslmode is one of ${MODES.join(', ')}`)
  return mode
}

function readOption(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new HeadwaterError('STORE_URL_INVALID', `${name}: ${path} cannot be read`, { cause })
  }
}
