import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net'
import { entryAt } from '../../src/model/entry-at.ts'

export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void

/** A server of the attacker's, or a trap that nobody may reach. */
export interface HostileServer {
  readonly port: number
  /** Connections so far. */
  readonly connections: number
  readonly openSockets: number
  /** Path and query of the requests so far, in order. */
  readonly requests: readonly string[]
  url(path?: string): string
  close(): Promise<void>
}

/** HTTP: one handler for everything, or one by path (without query); what has none is answered with 404. */
export function startHostileServer(
  answer: RequestListener | ReadonlyMap<string, RequestListener>,
  host = '127.0.0.1',
): Promise<HostileServer> {
  const handle = typeof answer === 'function' ? answer : byPath(answer)
  const requests: string[] = []
  const server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
    requests.push(request.url ?? '')
    response.on('error', () => {})
    handle(request, response)
  })
  return listen(server, host, requests)
}

/** For answers that node:http would not write. */
export function startHostileSocket(onSocket: (socket: Socket) => void, host = '127.0.0.1'): Promise<HostileServer> {
  return listen(createTcpServer(onSocket), host, [])
}

function byPath(handlers: ReadonlyMap<string, RequestListener>): RequestListener {
  return (request, response) => {
    const handler = handlers.get(entryAt((request.url ?? '').split('?', 1), 0))
    if (handler !== undefined) return handler(request, response)
    response.writeHead(404).end()
  }
}

function watchConnections(server: Server | TcpServer) {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  return { sockets, connections: () => connections }
}

async function listen(server: Server | TcpServer, host: string, requests: string[]): Promise<HostileServer> {
  const { sockets, connections } = watchConnections(server)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    requests,
    get connections() {
      return connections()
    },
    get openSockets() {
      return sockets.size
    },
    url: (path = '/') => `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
