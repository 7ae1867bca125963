import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

/** A real HTTP server on loopback that remembers who came. */
export interface LocalServer {
  readonly port: number
  readonly requests: IncomingMessage[]
  /** Connections accepted so far. */
  readonly connections: number
  readonly openSockets: number
  url(path?: string, host?: string): string
  close(): Promise<void>
}

export function startServer(handler: RequestHandler): Promise<LocalServer> {
  const requests: IncomingMessage[] = []
  const listener: RequestListener = (request, response) => {
    requests.push(request)
    handler(request, response)
  }
  return listen(createServer({ keepAliveTimeout: 30_000 }, listener), requests)
}

/** For answers that node:http would not write. */
export function startRawServer(onSocket: (socket: Socket) => void): Promise<LocalServer> {
  return listen(createTcpServer(onSocket), [])
}

async function listen(server: Server | ReturnType<typeof createTcpServer>, requests: IncomingMessage[]) {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    requests,
    get connections() {
      return connections
    },
    get openSockets() {
      return sockets.size
    },
    url: (path = '/', host = '127.0.0.1') => `http://${host}:${port}${path}`,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
