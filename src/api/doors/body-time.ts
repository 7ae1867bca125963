import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type DurationMs, SECOND_MS } from '../../model/index.ts'
import { hasBody } from './connections.ts'

export interface BodyTimes {
  /** For the whole body. */
  readonly mostMs: DurationMs
  /** Of bodies that may take longer: checked this often. */
  readonly paceEveryMs: DurationMs
  readonly leastBytesPerSecond: number
}

/** A backup over a slow line (1 Mbit/s is ten times as much) goes on; a client that drips does not. */
const BODY_TIMES: BodyTimes = {
  mostMs: 30 * SECOND_MS,
  paceEveryMs: 10 * SECOND_MS,
  leastBytesPerSecond: 12_000,
}

const watches = new WeakMap<IncomingMessage, BodyWatch>()

/** Ends connections whose requests do not get whole in time. */
export function watchBodies(server: Server, times: BodyTimes = BODY_TIMES): void {
  server.prependListener('request', (request, response) => {
    if (hasBody(request)) watches.set(request, new BodyWatch(request, response, times))
  })
}

/** For callers who were found to be allowed to: long bodies may come, at a pace. */
export function allowLongBody(request: IncomingMessage): void {
  watches.get(request)?.allowLong()
}

class BodyWatch {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #times: BodyTimes
  #timer: NodeJS.Timeout

  constructor(request: IncomingMessage, response: ServerResponse, times: BodyTimes) {
    this.#request = request
    this.#response = response
    this.#times = times
    this.#timer = setTimeout(() => this.#end(), times.mostMs).unref()
    // Emitted too when it was answered unread: what is still to come is watched on.
    request.once('close', () => {
      if (request.complete || request.socket.destroyed) clearInterval(this.#timer)
    })
  }

  allowLong(): void {
    if (this.#request.complete) return
    clearTimeout(this.#timer)
    const { paceEveryMs, leastBytesPerSecond } = this.#times
    const least = (leastBytesPerSecond * paceEveryMs) / SECOND_MS
    const { socket } = this.#request
    let before = socket.bytesRead
    this.#timer = setInterval(() => {
      if (this.#request.complete || socket.destroyed) return clearInterval(this.#timer)
      // What we do not take from them cannot come: a slow disk is not the client's fault.
      const isOurs = this.#request.readableLength >= this.#request.readableHighWaterMark
      if (!isOurs && socket.bytesRead - before < least) this.#end()
      before = socket.bytesRead
    }, paceEveryMs).unref()
  }

  #end(): void {
    clearInterval(this.#timer)
    const { socket, complete } = this.#request
    if (complete || socket.destroyed) return
    if (!this.#response.headersSent)
      socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    socket.destroySoon()
  }
}
