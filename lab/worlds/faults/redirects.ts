import { FAULT_DEFAULTS } from './fault.ts'
import type { FaultExchange } from './fault-exchange.ts'

function redirect(exchange: FaultExchange, status: number, location: string): void {
  exchange.response.writeHead(status, { location, 'content-length': 0 }).end()
}

/** The new address is the old one with `?moved=1`, which serves the feed. */
export function redirectTo(status: 301 | 302 | 308): (exchange: FaultExchange) => void {
  return (exchange) => {
    if (exchange.query.has('moved')) exchange.serve()
    else redirect(exchange, status, `${exchange.url}?moved=1`)
  }
}

export function redirectLoop(exchange: FaultExchange): void {
  redirect(exchange, 302, `${exchange.url}?hop=${exchange.query.get('hop') === '1' ? 2 : 1}`)
}

export function redirectChain(exchange: FaultExchange): void {
  const hop = Number(exchange.query.get('hop') ?? 0)
  const hops = exchange.fault.hops ?? FAULT_DEFAULTS.hops
  if (hop >= hops) exchange.serve()
  else redirect(exchange, 302, `${exchange.url}?hop=${hop + 1}&hops=${hops}`)
}

/** The address of cloud metadata services: link-local, and never what a feed reader wants. */
export function redirectPrivate(exchange: FaultExchange): void {
  redirect(exchange, 302, 'http://169.254.169.254/latest/meta-data/')
}

export function redirectNowhere({ response }: FaultExchange): void {
  response.writeHead(302, { 'content-length': 0 }).end()
}
