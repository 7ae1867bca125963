import type { ConnectionOptions } from 'node:tls'
import { HeadwaterError } from '../../../runtime/errors.ts'
import { type HostAndPort, readHosts } from './hosts.ts'
import { tlsOf } from './tls.ts'

/** Where the database is and how to speak to it. */
export interface DatabaseAddress {
  /** One at least; the one that can be written is used. */
  readonly hosts: readonly [HostAndPort, ...HostAndPort[]]
  readonly user: string
  readonly password: string | undefined
  readonly database: string
  readonly ssl: ConnectionOptions | false
  /** For messages: without the password. */
  readonly shown: string
}

const PARAMETERS = ['host', 'port', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey']
/** User and password, hosts, database, parameters: `URL` knows no list of hosts. */
const FORM = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^/?#@]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/i

/**
 * Reads `postgres://user:password@host:5432,other:5432/database?sslmode=verify-full&sslrootcert=FILE`; the parameters are those
 * of libpq. Unlike there, `sslmode` is `verify-full` where it is not given: a password must not go to whoever answers. On
 * this machine (a socket or a loopback address) it is `disable`.
 */
export function parseAddress(text: string): DatabaseAddress {
  const match = FORM.exec(text)
  if (match === null)
    throw invalid('it begins with postgres:// and has the form postgres://user:password@host/database')
  const [, login = '', hostList = '', path = '', query = ''] = match
  const parameters = new URLSearchParams(query)
  for (const name of parameters.keys()) {
    if (!PARAMETERS.includes(name)) throw invalid(`${name} is not known; there are ${PARAMETERS.join(', ')}`)
  }
  const database = decoded(path)
  if (database === '') throw invalid('it names no database')
  const hosts = readHosts(decoded(hostList), parameters)
  const [, user = '', password] = /^([^:]*)(?::(.*))?$/.exec(login) ?? []
  if (user === '') throw invalid('it names no user')
  return {
    hosts,
    user: decoded(user),
    password: password === undefined || password === '' ? undefined : decoded(password),
    database,
    ssl: tlsOf(parameters, hosts),
    shown: `postgres://${decoded(user)}@${hosts.map(({ shown }) => shown).join(',')}/${database}`,
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
