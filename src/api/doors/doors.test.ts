import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { allowLongBody, type BodyTimes, watchBodies } from './body-time.ts'
import { type ConnectionLimits, Connections } from './connections.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

interface Door {
  readonly server: Server
  readonly connections: Connections
  now: number
  /** Requests that have come so far. */
  requests: number
  /** From another loopback address where one is given. */
  open(from?: string): Promise<Client>
}

interface Client {
  readonly socket: Socket
  readonly closed: Promise<void>
  /** What has come when it contains the text. */
  until(text: string): Promise<string>
}

async function openDoor(limits: Partial<ConnectionLimits> = {}, times?: BodyTimes): Promise<Door> {
  const door = { now: 0, requests: 0 }
  const server = createServer((request, response) => {
    door.requests++
    if (request.url === '/long') allowLongBody(request)
    if (request.url === '/big') return void response.end(Buffer.alloc(64 * 1024 ** 2))
    if (request.url === '/hang') return
    if (request.url === '/unread') return void response.end('done')
    request.resume().on('end', () => response.end('done'))
  })
  const connections = new Connections(
    { most: 10, mostPerAddress: 5, isShared: (address) => address === '127.0.0.1', ...limits },
    () => door.now,
  )
  connections.attach(server)
  if (times !== undefined) watchBodies(server, times)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return Object.assign(door, {
    server,
    connections,
    async open(from = '127.0.0.1') {
      const socket = connect({ port, host: '127.0.0.1', localAddress: from })
      ends.push(() => socket.destroy())
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()).on('error', () => {}))
      await new Promise<void>((resolve) => socket.once('connect', resolve))
      const until = (part: string) => expect.poll(() => text).toContain(part)
      return { socket, closed, until: async (part: string) => until(part).then(() => text) }
    },
  })
}

const HEADER_NEVER_ENDS = 'GET / HTTP/1.1\r\nHost: x\r\nX-A: '
const WHOLE = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

describe('connections', () => {
  it('that never finish their header make room for one that does', async () => {
    const door = await openDoor()
    const slow: Client[] = []
    for (let index = 0; index < 40; index++) {
      const client = await door.open()
      client.socket.write(HEADER_NEVER_ENDS)
      slow.push(client)
    }
    const reader = await door.open()
    reader.socket.write(WHOLE)
    expect(await reader.until('done')).toContain('200 OK')
    await expect.poll(() => door.connections.count).toBeLessThanOrEqual(10)
    await slow[0]!.closed
  })

  it('whose body does not come make room, those that are worked on do not', async () => {
    const door = await openDoor()
    const clients = await Promise.all(Array.from({ length: 9 }, () => door.open()))
    for (const { socket } of clients) socket.write('GET /hang HTTP/1.1\r\nHost: x\r\n\r\n')
    const drip = await door.open()
    drip.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx')
    await expect.poll(() => door.connections.count).toBe(10)
    await expect.poll(() => door.requests).toBe(10)
    const reader = await door.open()
    reader.socket.write(WHOLE)
    await drip.closed
    await reader.until('done')
    // All places are in use now but the reader's, who goes for the next.
    const { requests } = door
    const next = await door.open()
    next.socket.write('GET /hang HTTP/1.1\r\nHost: x\r\n\r\n')
    await reader.closed
    await expect.poll(() => door.connections.count).toBe(10)
    await expect.poll(() => door.requests).toBe(requests + 1)
    const refused = await door.open()
    await refused.closed
    expect(clients.every(({ socket }) => !socket.destroyed)).toBe(true)
  })

  it('whose client does not read make room after a while', async () => {
    const door = await openDoor({ most: 3 })
    const deaf = await Promise.all(Array.from({ length: 3 }, () => door.open()))
    for (const { socket } of deaf) {
      socket.pause()
      socket.write('GET /big HTTP/1.1\r\nHost: x\r\n\r\n')
    }
    await expect.poll(() => door.requests).toBe(3)
    const early = await door.open()
    await early.closed
    door.now += 6_000
    const reader = await door.open()
    reader.socket.write(WHOLE)
    await reader.until('done')
  })

  it('are counted by address, but for loopback and proxies', async () => {
    const door = await openDoor({ mostPerAddress: 2 })
    const hang = (client: Client) => client.socket.write('GET /hang HTTP/1.1\r\nHost: x\r\n\r\n')
    const own = await Promise.all([door.open('127.0.0.2'), door.open('127.0.0.2')])
    own.forEach(hang)
    await expect.poll(() => door.requests).toBe(2)
    await (await door.open('127.0.0.2')).closed
    const others = await Promise.all([door.open('127.0.0.3'), ...Array.from({ length: 5 }, () => door.open())])
    others.forEach(hang)
    await expect.poll(() => door.connections.count).toBe(8)
    expect([...own, ...others].every(({ socket }) => !socket.destroyed)).toBe(true)
    own[0]!.socket.destroy()
    await expect.poll(() => door.connections.count).toBe(7)
    const again = await door.open('127.0.0.2')
    again.socket.write(WHOLE)
    await again.until('done')
  })
})

describe('bodies', () => {
  // A machine that stands still for a second must not look like a client that does.
  const times = { mostMs: 3_000, paceEveryMs: 2_000, leastBytesPerSecond: 10_000 }
  const post = (path: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n`

  it('have their time, and longer for those who may, at a pace', async () => {
    const door = await openDoor({}, times)
    const slow = await door.open()
    slow.socket.write(post('/'))
    const drip = setInterval(() => slow.socket.write('x'), 20)
    ends.push(() => clearInterval(drip))
    expect(await slow.until('408')).toContain('Connection: close')
    await slow.closed
    const long = await door.open()
    long.socket.write(post('/long'))
    // At 25,000 bytes a second it takes a second longer than others may.
    let sent = 0
    const pace = setInterval(() => {
      if (sent < 100_000) long.socket.write(Buffer.alloc(2_500))
      sent += 2_500
    }, 100)
    ends.push(() => clearInterval(pace))
    expect(await long.until('done')).toContain('200 OK')
    const stopped = await door.open()
    stopped.socket.write(post('/long'))
    await stopped.until('408')
  })

  it('that are answered unread are watched on', async () => {
    const door = await openDoor({}, times)
    const client = await door.open()
    client.socket.write(post('/unread'))
    await client.until('done')
    await client.closed
  })
})
