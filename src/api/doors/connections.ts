import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type DurationMs, SECOND_MS } from '../../model/index.ts'
import { addressGroup } from '../access/address-group.ts'

export interface ConnectionLimits {
  /** Over all clients. */
  readonly most: number
  /** Of one client's address, unless it is shared: loopback and proxies have many clients behind them. */
  readonly mostPerAddress: number
  readonly isShared: (address: string) => boolean
}

const STUCK_MS = 5 * SECOND_MS

/**
 * Where a connection is. `quiet`: nothing of it is being worked on; it was just opened, its header is still coming, or it is
 * kept alive. `body`: the rest of a request is coming. `answer`: it is ours to work on, or theirs to read.
 */
type ConnectionPhase = 'quiet' | 'body' | 'answer'

interface ConnectionEntry {
  readonly socket: Socket
  /** null: not counted by address. */
  readonly group: string | null
  phase: ConnectionPhase
  /** Bytes that had gone to the client when we last saw more go, to see who has stopped reading. */
  progress: { readonly bytes: number; readonly at: DurationMs }
}

/**
 * Connections that are not used make room for those that are: a limit refuses nobody as long as there is a
 * connection that waits for its client. The one that has waited longest goes: first those that are quiet, then those that
 * bring a body, then those whose client does not read. So a thousand clients that never finish a request (slowloris) keep
 * the door open for one that sends its request at once, also where a proxy makes them all come from one address.
 */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #monotonicMs: () => DurationMs
  /** Each in the order in which they entered the phase. */
  readonly #phases: Readonly<Record<ConnectionPhase, Map<Socket, ConnectionEntry>>> = {
    quiet: new Map(),
    body: new Map(),
    answer: new Map(),
  }
  readonly #groups = new Map<string, Set<ConnectionEntry>>()

  constructor(limits: ConnectionLimits, monotonicMs: () => DurationMs) {
    this.#limits = limits
    this.#monotonicMs = monotonicMs
  }

  attach(server: Server): void {
    server.on('connection', (socket) => this.#enter(socket))
    // Before the handler: it may answer at once.
    server.prependListener('request', (request, response) => this.#begin(request, response))
  }

  get count(): number {
    const { quiet, body, answer } = this.#phases
    return quiet.size + body.size + answer.size
  }

  #enter(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    const { most, mostPerAddress, isShared } = this.#limits
    const group = isShared(address) ? null : addressGroup(address)
    const connection: ConnectionEntry = {
      socket,
      group,
      phase: 'quiet',
      progress: { bytes: 0, at: this.#monotonicMs() },
    }
    const own = group === null ? null : (this.#groups.get(group) ?? new Set<ConnectionEntry>())
    if (own !== null && own.size >= mostPerAddress && !this.#makeFree((one) => own.has(one)))
      return void socket.destroy()
    if (this.count >= most && !this.#makeFree(() => true)) return void socket.destroy()
    this.#phases.quiet.set(socket, connection)
    if (group !== null && own !== null) this.#groups.set(group, own.add(connection))
    socket.once('close', () => this.#leave(connection))
  }

  #leave(connection: ConnectionEntry): void {
    this.#phases[connection.phase].delete(connection.socket)
    if (connection.group === null) return
    const own = this.#groups.get(connection.group)
    own?.delete(connection)
    if (own?.size === 0) this.#groups.delete(connection.group)
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const connection =
      this.#phases.quiet.get(socket) ?? this.#phases.answer.get(socket) ?? this.#phases.body.get(socket)
    if (connection === undefined) return
    this.#move(connection, hasBody(request) ? 'body' : 'answer')
    if (connection.phase === 'body') request.once('end', () => this.#move(connection, 'answer'))
    response.once('close', () => this.#move(connection, 'quiet'))
  }

  #move(connection: ConnectionEntry, phase: ConnectionPhase): void {
    if (!this.#phases[connection.phase].delete(connection.socket)) return
    connection.phase = phase
    this.#phases[phase].set(connection.socket, connection)
  }

  /** false: all of them are in use. */
  #makeFree(isCandidate: (connection: ConnectionEntry) => boolean): boolean {
    const { quiet, body, answer } = this.#phases
    const goes =
      first(quiet, isCandidate) ??
      first(body, isCandidate) ??
      first(answer, (one) => isCandidate(one) && isStuck(one, this.#monotonicMs()))
    if (goes === null) return false
    this.#leave(goes)
    goes.socket.destroy()
    return true
  }
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Bytes wait for the client, and none has gone for a while. */
function isStuck(connection: ConnectionEntry, now: DurationMs): boolean {
  const { writableLength, bytesWritten } = connection.socket
  const bytes = bytesWritten - writableLength
  if (writableLength > 0 && connection.progress.bytes === bytes) return now - connection.progress.at >= STUCK_MS
  connection.progress = { bytes, at: now }
  return false
}

function first(
  connections: ReadonlyMap<Socket, ConnectionEntry>,
  isWanted: (connection: ConnectionEntry) => boolean,
): ConnectionEntry | null {
  for (const connection of connections.values()) if (isWanted(connection)) return connection
  return null
}
