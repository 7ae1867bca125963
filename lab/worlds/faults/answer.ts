import { brokenBody, emptyBody, htmlBody, pdfBody, truncatedBody, wrongCharsetBody } from './bodies.ts'
import { badGzip, deepNesting, entityBomb, gzipBomb } from './bombs.ts'
import { FAULT_DEFAULTS, type FaultName } from './fault.ts'
import type { FaultExchange } from './fault-exchange.ts'
import { redirectChain, redirectLoop, redirectNowhere, redirectPrivate, redirectTo } from './redirects.ts'
import { answerRetryLater, basicAuth, plainStatus } from './statuses.ts'
import { dripBody, endless, hang, notHttp, reset, resetBody, slowHeaders, stall } from './streams.ts'

const ANSWERS: Readonly<Record<FaultName, (exchange: FaultExchange) => void | Promise<void>>> = {
  'slow-headers': slowHeaders,
  drip: dripBody,
  stall,
  '429': plainStatus(429),
  '429-seconds': answerRetryLater(429, 'seconds'),
  '429-date': answerRetryLater(429, 'date'),
  '503': answerRetryLater(503, 'seconds'),
  '503-date': answerRetryLater(503, 'date'),
  '500': plainStatus(500),
  '403': plainStatus(403),
  '404': plainStatus(404),
  '410': plainStatus(410),
  '401': basicAuth,
  truncated: truncatedBody,
  'cut-xml': brokenBody,
  'gzip-bomb': gzipBomb,
  'bad-gzip': badGzip,
  deep: deepNesting,
  'entity-bomb': entityBomb,
  'redirect-loop': redirectLoop,
  'redirect-chain': redirectChain,
  'redirect-private': redirectPrivate,
  'redirect-nowhere': redirectNowhere,
  '301': redirectTo(301),
  '308': redirectTo(308),
  '302': redirectTo(302),
  'wrong-charset': wrongCharsetBody,
  endless,
  reset,
  'reset-body': resetBody,
  empty: emptyBody,
  html: htmlBody,
  'not-http': notHttp,
  flapping,
  hang,
  pdf: pdfBody,
}

export function answerWithFault(exchange: FaultExchange): void | Promise<void> {
  return ANSWERS[exchange.fault.name](exchange)
}

/** Fails the first `failures` of every `of` requests. */
function flapping(exchange: FaultExchange): void {
  const failures = exchange.fault.failures ?? FAULT_DEFAULTS.failures
  const of = Math.max(1, exchange.fault.of ?? FAULT_DEFAULTS.of)
  if (exchange.turn % of < failures) plainStatus(500)(exchange)
  else exchange.serve()
}
