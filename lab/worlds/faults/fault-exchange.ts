import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../../src/runtime/clock.ts'
import type { FaultSpec } from './fault.ts'

/** One request that a fault answers. */
export interface FaultExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly fault: FaultSpec
  readonly clock: Clock
  /** The requested address, without query. */
  readonly url: string
  readonly query: URLSearchParams
  /** Ends with the exchange or with the world. */
  readonly signal: AbortSignal
  /** How often this feed was requested before, for faults that come and go. */
  readonly turn: number
  readonly contentType: string
  /** The document that would have been sent. */
  document(): Buffer
  /** Answers as if nothing were wrong. */
  serve(): void
}
