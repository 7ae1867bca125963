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
type Phase = 'quiet' | 'body' | 'answer'

interface Place {
  readonly socket: Socket
  /** null: not counted by address. */
  readonly group: string | null
  phase: Phase
  /** Bytes that had gone to the client when we last saw more go, to see who has stopped reading. */
  gone: { readonly bytes: number; readonly at: DurationMs }
}

/**
 * Who holds connections without using them makes room for who does: a limit refuses nobody as long as there is a
 * connection that waits for its client. The one that has waited longest goes: first those that are quiet, then those that
 * bring a body, then those whose client does not read. So a thousand clients that never finish a request (slowloris) keep
 * the door open for one that sends its request at once, also where a proxy makes them all come from one address.
 */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #monotonicMs: () => DurationMs
  /** Each in the order in which they entered the phase. */
  readonly #phases: Readonly<Record<Phase, Map<Socket, Place>>> = {
    quiet: new Map(),
    body: new Map(),
    answer: new Map(),
  }
  readonly #groups = new Map<string, Set<Place>>()

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
    const place: Place = { socket, group, phase: 'quiet', gone: { bytes: 0, at: this.#monotonicMs() } }
    const own = group === null ? null : (this.#groups.get(group) ?? new Set<Place>())
    if (own !== null && own.size >= mostPerAddress && !this.#makeRoom((one) => own.has(one)))
      return void socket.destroy()
    if (this.count >= most && !this.#makeRoom(() => true)) return void socket.destroy()
    this.#phases.quiet.set(socket, place)
    if (group !== null && own !== null) this.#groups.set(group, own.add(place))
    socket.once('close', () => this.#leave(place))
  }

  #leave(place: Place): void {
    this.#phases[place.phase].delete(place.socket)
    if (place.group === null) return
    const own = this.#groups.get(place.group)
    own?.delete(place)
    if (own?.size === 0) this.#groups.delete(place.group)
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const place = this.#phases.quiet.get(socket) ?? this.#phases.answer.get(socket) ?? this.#phases.body.get(socket)
    if (place === undefined) return
    this.#move(place, hasBody(request) ? 'body' : 'answer')
    if (place.phase === 'body') request.once('end', () => this.#move(place, 'answer'))
    response.once('close', () => this.#move(place, 'quiet'))
  }

  #move(place: Place, phase: Phase): void {
    if (!this.#phases[place.phase].delete(place.socket)) return
    place.phase = phase
    this.#phases[phase].set(place.socket, place)
  }

  /** false: all of them are in use. */
  #makeRoom(isCandidate: (place: Place) => boolean): boolean {
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
function isStuck(place: Place, now: DurationMs): boolean {
  const { writableLength, bytesWritten } = place.socket
  const bytes = bytesWritten - writableLength
  if (writableLength > 0 && place.gone.bytes === bytes) return now - place.gone.at >= STUCK_MS
  place.gone = { bytes, at: now }
  return false
}

function first(places: ReadonlyMap<Socket, Place>, isWanted: (place: Place) => boolean): Place | null {
  for (const place of places.values()) if (isWanted(place)) return place
  return null
}
