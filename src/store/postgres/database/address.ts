import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { HeadwaterError } from '../../../runtime/errors.ts'

/** Where the database is and how to speak to it, as `pg` takes it. */
export interface DatabaseAddress {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string | undefined
  readonly database: string
  readonly ssl: ConnectionOptions | false
  /** For messages: without the password. */
  readonly shown: string
}

const DEFAULT_PORT = 5432
const PARAMETERS = ['host', 'port', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey']
const MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const
type Mode = (typeof MODES)[number]

/**
 * Reads `postgres://user:password@host:5432/database?sslmode=verify-full&sslrootcert=FILE`; the parameters are those of
 * libpq. Unlike there, `sslmode` is `verify-full` where it is not given: a password must not go to whoever answers. On this
 * machine (a socket or a loopback address) it is `disable`.
 */
export function parseAddress(text: string): DatabaseAddress {
  const url = urlOf(text)
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol)) throw invalid('it begins with postgres://')
  for (const name of url.searchParams.keys()) {
    if (!PARAMETERS.includes(name)) throw invalid(`${name} is not known; there are ${PARAMETERS.join(', ')}`)
  }
  const database = decoded(url.pathname.slice(1))
  if (database === '') throw invalid('it names no database')
  const host = url.searchParams.get('host') ?? decoded(url.hostname).replace(/^\[|\]$/g, '')
  if (host === '') throw invalid('it names no host')
  const user = decoded(url.username)
  if (user === '') throw invalid('it names no user')
  return {
    host,
    port: portOf(url),
    user,
    password: url.password === '' ? undefined : decoded(url.password),
    database,
    ssl: tlsOf(url.searchParams, host),
    shown: `postgres://${user}@${host}/${database}`,
  }
}

/** libpq takes `postgres://user@/database?host=/folder`; other addresses have no user without a host. */
function urlOf(text: string): URL | null {
  const whole = text.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=\/)/, '$1localhost')
  return URL.canParse(whole) ? new URL(whole) : null
}

function portOf(url: URL): number {
  const given = url.searchParams.get('port') ?? (url.port === '' ? String(DEFAULT_PORT) : url.port)
  const port = Number(given)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw invalid(`${given} is no port`)
  return port
}

function tlsOf(parameters: URLSearchParams, host: string): ConnectionOptions | false {
  const mode = modeOf(parameters, host)
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

function modeOf(parameters: URLSearchParams, host: string): Mode {
  const given = parameters.get('sslmode')
  if (given === null) return isLocal(host) ? 'disable' : 'verify-full'
  const mode = MODES.find((one) => one === given)
  if (mode === undefined) throw invalid(`sslmode is one of ${MODES.join(', ')}`)
  return mode
}

function isLocal(host: string): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\./.test(host)
}

function readOption(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new HeadwaterError('STORE_URL_INVALID', `${name}: ${path} cannot be read`, { cause })
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalid('it is not percent-encoded as addresses are')
  }
}

function invalid(why: string): HeadwaterError {
  return new HeadwaterError('STORE_URL_INVALID', why)
}
