import { type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { type LocalServer, startServer } from './local-server.ts'

/** What a reverse proxy does for one path of its host. */
export interface ReverseProxy extends LocalServer {
  /** Paths that were asked of the host and are not below the one that is passed on. */
  readonly strays: readonly string[]
}

/** Passes what is below `path` on to the node, without that path, as nginx and Caddy are told to in docs/install.md. */
export async function startReverseProxy(path: string, target: () => string): Promise<ReverseProxy> {
  const strays: string[] = []
  const server = await startServer((request, response) => {
    const url = request.url ?? '/'
    if (!url.startsWith(`${path}/`)) {
      strays.push(`${request.method} ${url}`)
      response.writeHead(404).end('another site of this host')
      return
    }
    passOn(request, response, new URL(target()), url.slice(path.length))
  })
  return Object.assign(server, { strays })
}

function passOn(request: IncomingMessage, response: ServerResponse, { hostname, port }: URL, path: string): void {
  const address = request.socket.remoteAddress ?? ''
  const headers = { ...request.headers, 'x-forwarded-for': address, 'x-forwarded-proto': 'http' }
  const passed = send({ hostname, port, path, method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  passed.on('error', () => response.destroy())
  response.on('close', () => passed.destroy())
  request.pipe(passed)
}
