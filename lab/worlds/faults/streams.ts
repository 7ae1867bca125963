import { once } from 'node:events'
import { FAULT_DEFAULTS } from './fault.ts'
import type { FaultExchange } from './fault-exchange.ts'

export async function slowHeaders(exchange: FaultExchange): Promise<void> {
  await exchange.clock.sleep(exchange.fault.delayMs ?? FAULT_DEFAULTS['slow-headers'], exchange.signal)
  if (!exchange.signal.aborted) exchange.serve()
}

export async function hang({ request, fault, clock, signal }: FaultExchange): Promise<void> {
  await clock.sleep(fault.delayMs ?? FAULT_DEFAULTS.hang, signal)
  request.socket.destroy()
}

const DRIP_BYTES = 16

export async function dripBody(exchange: FaultExchange): Promise<void> {
  const { response, signal, clock } = exchange
  const body = exchange.document()
  response.writeHead(200, { 'content-type': exchange.contentType, 'content-length': body.length })
  for (let sent = 0; sent < body.length && !signal.aborted; sent += DRIP_BYTES) {
    response.write(body.subarray(sent, sent + DRIP_BYTES))
    await clock.sleep(exchange.fault.delayMs ?? FAULT_DEFAULTS.drip, signal)
  }
  if (!signal.aborted) response.end()
}

/** Half, then silence until the other side gives up. */
export function stall({ response, document, contentType }: FaultExchange): void {
  const body = document()
  response.writeHead(200, { 'content-type': contentType, 'content-length': body.length })
  response.write(body.subarray(0, Math.floor(body.length / 2)))
}

export async function endless({ response, signal }: FaultExchange): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/rss+xml' })
  response.write('<?xml version="1.0"?>\n<rss version="2.0"><channel><title>Endless</title>\n')
  for (let number = 0; !signal.aborted; number += 200) {
    let block = ''
    for (let i = number; i < number + 200; i++) {
      block += `<item><title>Item ${i}</title><guid isPermaLink="false">endless-${i}</guid><description>${'on '.repeat(100)}</description></item>\n`
    }
    if (!response.write(block)) await once(response, 'drain', { signal }).catch(() => undefined)
  }
}

export function reset({ request }: FaultExchange): void {
  request.socket.resetAndDestroy()
}

export function resetBody({ request, response, document, contentType }: FaultExchange): void {
  const body = document()
  response.writeHead(200, { 'content-type': contentType, 'content-length': body.length })
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => request.socket.resetAndDestroy())
}

export function notHttp({ request }: FaultExchange): void {
  request.socket.end('220 ready for mail\r\n')
}
