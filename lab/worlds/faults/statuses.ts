import { FAULT_DEFAULTS } from './fault.ts'
import type { FaultExchange } from './fault-exchange.ts'

/** The only account that the world knows. */
const WORLD_ACCOUNT = { user: 'reader', password: 'secret' } as const

export function plainStatus(status: number): (exchange: FaultExchange) => void {
  return ({ response }) => {
    response.writeHead(status, { 'content-type': 'text/plain' }).end(`${status}\n`)
  }
}

/** Retry-After in the two forms of RFC 9110 §10.2.3. */
export function answerRetryLater(status: 429 | 503, form: 'seconds' | 'date'): (exchange: FaultExchange) => void {
  return ({ response, fault, clock }) => {
    const seconds = fault.retryAfterS ?? FAULT_DEFAULTS.retryAfterS
    const value = form === 'seconds' ? String(seconds) : new Date(clock.now() + seconds * 1000).toUTCString()
    response.writeHead(status, { 'content-type': 'text/plain', 'retry-after': value }).end(`${status}\n`)
  }
}

export function basicAuth(exchange: FaultExchange): void {
  const expected = `Basic ${Buffer.from(`${WORLD_ACCOUNT.user}:${WORLD_ACCOUNT.password}`).toString('base64')}`
  if (exchange.request.headers.authorization === expected) exchange.serve()
  else exchange.response.writeHead(401, { 'www-authenticate': 'Basic realm="world"' }).end('401\n')
}
