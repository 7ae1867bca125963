import { lookup } from 'node:dns/promises'
import { connect, createServer } from 'node:net'
import { isForLetters } from '../../model/index.ts'
import type { Store } from '../../store/store.ts'
import { isLoopbackHost } from '../settings/base-url.ts'
import type { Config } from '../settings/config.ts'
import { type CheckResult, fine, wrong } from './check-result.ts'

const PATIENCE_MS = 5_000

/** Whether the port is free, or a node of ours has it. */
export async function checkPort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<CheckResult> {
  if (port === 0) return fine('port', 'any that is free')
  const code = await tryToListen(host, port)
  if (code === null) return fine('port', `${port} is free`)
  if (code === 'EADDRINUSE' && (await isNode(host, port))) return fine('port', `a node serves on ${port}`)
  if (code === 'EACCES')
    return wrong(
      'port',
      'fault',
      'PORT_FORBIDDEN',
      `${port} needs more rights`,
      'Choose one above 1023, behind a proxy if need be.',
    )
  if (code === 'EADDRNOTAVAIL')
    return wrong('port', 'fault', 'HOST_NOT_HERE', `${host} is no address of this machine`, 'Give another --host.')
  return wrong(
    'port',
    'fault',
    'PORT_IN_USE',
    `another program has ${port}`,
    'Choose another with --port, or end that program.',
  )
}

/** null: it can be done. */
function tryToListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'))
    server.listen(port, host, () => server.close(() => resolve(null)))
  })
}

async function isNode(host: string, port: number): Promise<boolean> {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  try {
    const answer = await fetch(`http://${name}:${port}/health`, { signal: AbortSignal.timeout(PATIENCE_MS) })
    const body: unknown = await answer.json()
    return typeof body === 'object' && body !== null && 'version' in body && 'status' in body
  } catch {
    return false
  }
}

const NAMES_TRIED = 3

/** Some hosts of sources; where none has an address, it is not they who are wrong. */
export async function checkDns(store: Pick<Store, 'sources'>): Promise<readonly CheckResult[]> {
  const sources = await store.sources({ limit: 200, afterId: 0 })
  const hosts = sources.flatMap((source) => (isForLetters(source) ? [] : [new URL(source.url).hostname]))
  const names = [...new Set(hosts)].filter((host) => !/^[\d.]+$|^\[/.test(host)).slice(0, NAMES_TRIED)
  if (names.length === 0) return []
  const answers = await Promise.allSettled(names.map((name) => lookup(name)))
  if (answers.some(({ status }) => status === 'fulfilled')) return [fine('DNS', 'names of sites are found')]
  const words = `no address was found for ${names.join(', ')}`
  return [wrong('DNS', 'fault', 'FETCH_DNS', words, 'Check /etc/resolv.conf, and whether this machine is online.')]
}

export async function checkMailServer({ smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<readonly CheckResult[]> {
  if (smtpUrl === undefined) return []
  const { hostname, port, protocol } = new URL(smtpUrl)
  const at = Number(port) || (protocol === 'smtps:' ? 465 : 587)
  if (await canConnect(hostname, at)) return [fine('mail server', `${hostname}:${at} answers`)]
  const hint = 'Check --smtp-url, and whether a firewall stands between.'
  return [wrong('mail server', 'fault', 'MAIL_FAILED', `nobody answers at ${hostname}:${at}`, hint)]
}

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: PATIENCE_MS })
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false))
  })
}

/** How others reach the node. */
export function checkAddress(config: Pick<Config, 'host' | 'publicUrl' | 'trustProxy'>): readonly CheckResult[] {
  const { host, publicUrl, trustProxy } = config
  if (isPlainBeyondLoopback(config)) {
    const words = 'passwords and tokens go over plain HTTP, where others can read them'
    return [wrong('address', 'warning', 'PLAIN_HTTP', words, PLAIN_HTTP_HINT)]
  }
  if (publicUrl?.startsWith('https:') === true && trustProxy.length === 0) {
    const words = 'behind a proxy that is not named all readers seem to have one address'
    return [
      wrong(
        'address',
        'warning',
        'PROXY_NOT_TRUSTED',
        words,
        'Name the proxy: --trust-proxy loopback, or its address.',
      ),
    ]
  }
  return [fine('address', publicUrl ?? `http://${host}`)]
}

export const PLAIN_HTTP_HINT =
  'Serve it through a proxy with TLS, and set --public-url https://…; or keep it on loopback (--host 127.0.0.1). See docs/install.md.'

/** Others than this machine reach it, and nobody says that they do so by TLS. */
export function isPlainBeyondLoopback({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): boolean {
  return !isLoopbackHost(host) && publicUrl?.startsWith('https:') !== true
}
