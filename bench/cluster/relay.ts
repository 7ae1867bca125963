import { mkdirSync } from 'node:fs'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { type Door, loopbackAddress, type Network } from './network.ts'

/** PostgreSQL's name of a socket at the usual port. */
const SOCKET = '.s.PGSQL.5432'

interface Relay {
  cut(): void
  heal(): void
  close(): Promise<void>
}

/** Sockets of our own between each member and the servers, which stop passing bytes when a member is cut off. */
export function relayNetwork(folder: string, note: string | null): Network {
  return {
    how: 'relay',
    note,
    siteAddress: loopbackAddress,
    allowRange: 'loopback',
    async open(member, servers): Promise<Door> {
      const hosts = { primary: join(folder, `${member}.p`), standby: join(folder, `${member}.s`) }
      const relays = [
        await startRelay(hosts.primary, servers.primary),
        await startRelay(hosts.standby, servers.standby),
      ]
      return {
        prefix: [],
        hosts,
        cut: async () => {
          for (const relay of relays) relay.cut()
        },
        heal: async () => {
          for (const relay of relays) relay.heal()
        },
        close: async () => void (await Promise.all(relays.map((relay) => relay.close()))),
      }
    },
    close: async () => {},
  }
}

/** `from`, `to`: folders of sockets. */
async function startRelay(from: string, to: string): Promise<Relay> {
  mkdirSync(from)
  const pairs = new Set<Pair>()
  let isCut = false
  const server: Server = createServer((near) => {
    const pair = new Pair(near, join(to, SOCKET), () => pairs.delete(pair))
    pairs.add(pair)
    if (!isCut) pair.pass()
  })
  await new Promise<void>((resolve) => server.listen(join(from, SOCKET), resolve))
  return {
    cut() {
      isCut = true
      for (const pair of pairs) pair.hold()
    },
    heal() {
      isCut = false
      for (const pair of pairs) pair.pass()
    },
    async close() {
      for (const pair of pairs) pair.end()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The two halves of a connection. While it is held neither bytes nor the end of a half reach the other. */
class Pair {
  readonly #near: Socket
  readonly #path: string
  readonly #onEnd: () => void
  #far: Socket | null = null
  #isHeld = true
  #isOver = false

  constructor(near: Socket, path: string, onEnd: () => void) {
    this.#near = near
    this.#path = path
    this.#onEnd = onEnd
    near.pause()
    this.#watch(near, () => this.#far)
  }

  pass(): void {
    this.#isHeld = false
    if (this.#isOver) {
      this.end()
      return
    }
    if (this.#far === null) {
      this.#far = createConnection(this.#path)
      this.#watch(this.#far, () => this.#near)
    }
    this.#near.resume()
    this.#far.resume()
  }

  hold(): void {
    this.#isHeld = true
    this.#near.pause()
    this.#far?.pause()
  }

  end(): void {
    this.#near.destroy()
    this.#far?.destroy()
    this.#onEnd()
  }

  #watch(one: Socket, other: () => Socket | null): void {
    one.on('data', (bytes) => void other()?.write(bytes))
    one.on('error', () => {})
    one.on('close', () => {
      this.#isOver = true
      if (!this.#isHeld) this.end()
    })
  }
}
