import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { FetchFailure, type RequestPhase } from '../../http/failure.ts'
import { contentLength, listField } from '../../http/header-fields.ts'
import type { BodyLease } from './body-memory.ts'
import { type BodyLimits, type BodyReader, createBodyReader } from './body-reader.ts'
import { decodersFor } from './decoders.ts'
import type { FetchRequest } from './fetcher.ts'
import type { FetcherSettings } from './options.ts'

/** What came of one request. `bytes`: body bytes on the wire. */
export type ExchangeResult =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: IncomingHttpHeaders
      /** null where the status is not one whose body is wanted. */
      readonly body: Buffer | null
      readonly bytes: number
    }
  | {
      readonly kind: 'failure'
      readonly error: unknown
      readonly phase: RequestPhase
      readonly status: number | null
      readonly bytes: number
    }

/** Answers that hold a feed: 200, 203 (changed by a proxy), and 226 for those who ask for deltas (RFC 3229). */
export function isContent(status: number): boolean {
  return status === 200 || status === 203 || status === 226
}

/** A body that is not wanted is read, to keep the connection, only this far and this long. */
const DISCARD_BYTES = 64 * 1024
const DISCARD_MS = 2_000

type ExchangeSettings = FetcherSettings & Pick<BodyLimits, 'enoughBytes'> & Pick<FetchRequest, 'wantsBody'>

/** Room in memory; false: there was none in time. */
export type ExchangeRoom = Pick<BodyLease, 'take' | 'work'>
/** More at once is not asked for, so that a body takes little more than it has. */
const LARGEST_STEP_BYTES = 1024 ** 2

function noMemory(): FetchFailure {
  return new FetchFailure('FETCH_NO_ROOM', 'it is too large, or others were read at the same time')
}

type Controller = Dispatcher.DispatchController
type Handler = Required<
  Pick<
    Dispatcher.DispatchHandler,
    'onRequestStart' | 'onResponseStart' | 'onResponseData' | 'onResponseEnd' | 'onResponseError'
  >
>

/**
 * One request and its answer, as a handler of undici's `dispatch`: what `request` does, less a stream and a promise per
 * body, plus a way to stop while still waiting for a connection.
 *
 * It is *settled* once the result is known and *finished* once undici has let go of the request. Stopped while it waits
 * for a connection it settles at once, and finishes when undici gets to it.
 */
export class Exchange implements Handler {
  readonly result: Promise<ExchangeResult>
  readonly #settings: ExchangeSettings
  readonly #roomFor: ExchangeRoom
  readonly #onFinished: () => void
  #resolve: (result: ExchangeResult) => void = () => {}
  #controller: Controller | null = null
  #reader: BodyReader | null = null
  #discardTimer: NodeJS.Timeout | null = null
  #phase: RequestPhase = 'connecting'
  #status: number | null = null
  #headers: IncomingHttpHeaders = {}
  #bytes = 0
  #isSettled = false
  #isFinished = false
  /** Its beginning was all that was wanted. */
  #isCut = false
  /** Called to wait until what came was processed, or until there is memory for more. */
  #isPaused = false
  /** What is waited for. */
  #reservation: Promise<boolean> | null = null
  #roomBytes: number

  constructor(settings: ExchangeSettings, roomFor: ExchangeRoom, onFinished: () => void) {
    this.#settings = settings
    this.#roomFor = roomFor
    this.#roomBytes = settings.bodyMemory.freeBytes
    this.#onFinished = onFinished
    this.result = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  /** Bytes of the body so far; null while there is none, or while it waits for us. */
  get bodyBytes(): number | null {
    return this.#phase === 'body' && !this.#isPaused ? this.#bytes : null
  }

  /** Ends it now, whatever its state. */
  stop(reason: FetchFailure): void {
    this.#fail(reason)
    this.#controller?.abort(reason)
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller
    if (this.#isSettled) controller.abort(new FetchFailure('FETCH_ABORTED', 'stopped'))
    else this.#phase = 'waiting'
  }

  onResponseStart(controller: Controller, status: number, headers: IncomingHttpHeaders): void {
    // 1xx only announces the answer.
    if (status < 200 || this.#isSettled) return
    this.#phase = 'body'
    this.#status = status
    this.#headers = headers
    if (isContent(status)) this.#startReading(controller)
    else this.#discardTimer = setTimeout(() => this.#cutDiscarded(), DISCARD_MS)
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#isSettled || this.#isCut) return
    if (this.#reader !== null) {
      if (!this.#reader.write(chunk) && !this.#isSettled) this.#hold(controller)
    } else if (this.#bytes > DISCARD_BYTES) this.#cutDiscarded()
  }

  onResponseEnd(): void {
    if (!this.#isCut) {
      if (this.#reader !== null && !this.#isSettled) this.#reader.end()
      else this.#answer(null)
    }
    this.#finish()
  }

  onResponseError(_controller: Controller, error: unknown): void {
    // The status says enough where the body was not wanted.
    if (this.#discardTimer !== null) this.#answer(null)
    else if (!this.#isCut) this.#fail(error)
    this.#finish()
  }

  #startReading(controller: Controller): void {
    const { maxBodyBytes, maxCompressedBytes, enoughBytes, wantsBody } = this.#settings
    if (wantsBody !== undefined && !wantsBody(this.#headers['content-type'] ?? null)) {
      this.#cut(Buffer.alloc(0))
      return
    }
    const encoding = listField(this.#headers, 'content-encoding')
    const decoders = decodersFor(encoding)
    if (decoders === null) {
      this.stop(new FetchFailure('FETCH_BAD_ENCODING', encoding))
      return
    }
    const announced = contentLength(this.#headers) ?? 0
    if (enoughBytes === undefined && announced > (decoders.length === 0 ? maxBodyBytes : maxCompressedBytes)) {
      this.stop(new FetchFailure('FETCH_TOO_LARGE', `${announced} bytes announced`))
      return
    }
    this.#reader = createBodyReader(decoders, this.#settings, {
      onBody: (body) => this.#complete(body),
      onEnough: (beginning) => this.#cut(beginning),
      onFailure: (failure) => this.stop(failure),
      onGrown: (bytes) => this.#makeRoomFor(bytes, controller),
      onDrain: () => this.#goOn(controller),
    })
  }

  #cut(beginning: Buffer): void {
    if (this.#isSettled || this.#isCut) return
    this.#isCut = true
    this.#reader?.destroy()
    this.#complete(beginning)
    this.#controller?.abort(new FetchFailure('FETCH_ABORTED', 'the rest is not wanted'))
  }

  /** Most bodies need none; a larger one asks for more each time, and waits where there is none. */
  #makeRoomFor(bytes: number, controller: Controller): void {
    if (bytes <= this.#roomBytes || this.#reservation !== null || this.#isSettled) return
    const reserved = this.#roomFor.take(this.#moreFor(bytes))
    if (reserved === true) return
    if (reserved === false) {
      this.stop(noMemory())
      return
    }
    this.#reservation = reserved
    this.#hold(controller)
    void reserved.then((isGranted) => {
      this.#reservation = null
      if (isGranted) this.#goOn(controller)
      else this.stop(noMemory())
    })
  }

  /** A body that was decoded at once, or while memory was waited for, may have to wait for it, and then for its turn. */
  #complete(body: Buffer): void {
    const reserved =
      this.#reservation ?? (body.length <= this.#roomBytes || this.#roomFor.take(this.#moreFor(body.length)))
    const turn =
      reserved === true ? this.#turnFor(body) : Promise.resolve(reserved).then((has) => has && this.#turnFor(body))
    if (turn === true) this.#answer(body)
    else void Promise.resolve(turn).then((isGranted) => (isGranted ? this.#answer(body) : this.stop(noMemory())))
  }

  #turnFor({ length }: Buffer): boolean | Promise<boolean> {
    return length <= this.#settings.bodyMemory.freeBytes || this.#roomFor.work(length)
  }

  #moreFor(bytes: number): number {
    const before = this.#roomBytes
    while (this.#roomBytes < bytes) this.#roomBytes += Math.min(Math.max(1, this.#roomBytes), LARGEST_STEP_BYTES)
    return this.#roomBytes - before
  }

  #hold(controller: Controller): void {
    this.#isPaused = true
    controller.pause()
  }

  #goOn(controller: Controller): void {
    if (this.#reservation !== null || this.#isSettled || this.#isCut) return
    this.#isPaused = false
    controller.resume()
  }

  #cutDiscarded(): void {
    this.#answer(null)
    this.#controller?.abort(new FetchFailure('FETCH_ABORTED', 'the rest is not wanted'))
  }

  #answer(body: Buffer | null): void {
    const [status, headers, bytes] = [this.#status!, this.#headers, this.#bytes]
    this.#settle({ kind: 'answer', status, headers, body, bytes })
  }

  #fail(error: unknown): void {
    this.#settle({ kind: 'failure', error, phase: this.#phase, status: this.#status, bytes: this.#bytes })
  }

  #settle(result: ExchangeResult): void {
    if (this.#isSettled) return
    this.#isSettled = true
    if (this.#discardTimer !== null) clearTimeout(this.#discardTimer)
    if (result.kind === 'failure') this.#reader?.destroy()
    this.#resolve(result)
  }

  #finish(): void {
    if (this.#isFinished) return
    this.#isFinished = true
    this.#onFinished()
  }
}
