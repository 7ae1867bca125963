import { HeadwaterError } from '../../../runtime/errors.ts'

export interface HostAndPort {
  /** A name, an address, or the folder of a socket. */
  readonly host: string
  readonly port: number
  /** As people write it: the usual port is left out. */
  readonly shown: string
}

const USUAL_PORT = 5432
/** A name or address, an IPv6 address in brackets, each with or without a port. */
const HOST = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(.*))?$/

/** `a:5432,b` of an address; the parameters `host` and `port`, also with commas, go before. */
export function readHosts(
  list: string,
  parameters: Pick<URLSearchParams, 'get'>,
): readonly [HostAndPort, ...HostAndPort[]] {
  const ports = parameters.get('port')?.split(',') ?? []
  const named = parameters
    .get('host')
    ?.split(',')
    .map((host) => ({ host, port: undefined }))
  const written = named ?? list.split(',').map(readOne)
  if (ports.length > 1 && ports.length !== written.length) throw invalid('it has not as many ports as hosts')
  const [first, ...others] = written.map(({ host, port }, place) => {
    if (host === '') throw invalid('it names no host')
    return hostAndPort(host, portOf(ports[place] ?? ports[0] ?? port))
  })
  if (first === undefined) throw invalid('it names no host')
  return [first, ...others]
}

function readOne(text: string): { readonly host: string; readonly port: string | undefined } {
  const [, bracketed, plain, port] = HOST.exec(text) ?? []
  return { host: bracketed ?? plain ?? '', port }
}

function hostAndPort(host: string, port: number): HostAndPort {
  const name = host.includes(':') ? `[${host}]` : host
  return { host, port, shown: port === USUAL_PORT ? name : `${name}:${port}` }
}

function portOf(given: string | undefined): number {
  if (given === undefined || given === '') return USUAL_PORT
  const port = Number(given)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw invalid(`${given} is no port`)
  return port
}

export function isLocal({ host }: HostAndPort): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\./.test(host)
}

function invalid(why: string): HeadwaterError {
  return new HeadwaterError('STORE_URL_INVALID', why)
}
