import type { FastifyReply } from 'fastify'
import { ERRORS, type ErrorCode, HeadwaterError } from '../runtime/errors.ts'

const STATUS: Partial<Record<ErrorCode, number>> = {
  FEED_NOT_FOUND: 404,
  FEED_PRIVATE: 401,
  SOURCE_NOT_FOUND: 404,
  ADDRESS_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_INVALID: 400,
  QUALITY_SCOPE: 400,
  SOURCE_EXISTS: 409,
}

/** Error answers are problem details (RFC 9457); `code` is from the table in runtime/errors.ts. */
export function sendProblem(reply: FastifyReply, code: ErrorCode, detail?: string): FastifyReply {
  const status = STATUS[code] ?? 500
  const { summary, hint } = ERRORS[code]
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify({ type: `urn:headwater:error:${code}`, title: summary, status, detail, code, hint }))
}

/** What a client did wrong is told; what went wrong here is not, beyond its code. */
export function problemOf(error: unknown): { readonly code: ErrorCode; readonly detail?: string } {
  if (error instanceof HeadwaterError) return { code: error.code, detail: error.message }
  const status = (error as { statusCode?: unknown } | null)?.statusCode
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return { code: 'REQUEST_INVALID', detail: (error as Error).message }
  }
  return { code: 'INTERNAL' }
}
