import { errors } from 'undici'
import { tableOf } from '../model/table.ts'
import { type ErrorCode, HeadwaterError } from '../runtime/errors.ts'

/** An expected failure on its way through undici's callbacks; ends as a `failed` outcome. */
export class FetchFailure extends Error {
  readonly failure: ErrorCode
  readonly status: number | null

  constructor(failure: ErrorCode, detail: string, status: number | null = null) {
    super(detail)
    this.name = 'FetchFailure'
    this.failure = failure
    this.status = status
  }
}

/** How far a request had come when it failed. */
export type RequestPhase = 'connecting' | 'waiting' | 'body'

const BY_CODE = tableOf<ErrorCode>({
  ENOTFOUND: 'FETCH_DNS',
  ENODATA: 'FETCH_DNS',
  ESERVFAIL: 'FETCH_DNS',
  EAI_AGAIN: 'FETCH_DNS',
  EAI_FAIL: 'FETCH_DNS',
  EAI_NODATA: 'FETCH_DNS',
  EAI_NONAME: 'FETCH_DNS',
  EPROTO: 'FETCH_TLS',
  UND_ERR_PRX_TLS: 'FETCH_PROXY',
  UND_ERR_CONNECT_TIMEOUT: 'FETCH_TIMEOUT_CONNECT',
  ETIMEDOUT: 'FETCH_TIMEOUT_CONNECT',
  UND_ERR_HEADERS_TIMEOUT: 'FETCH_TIMEOUT_HEADERS',
  UND_ERR_BODY_TIMEOUT: 'FETCH_TIMEOUT_BODY',
  UND_ERR_HEADERS_OVERFLOW: 'FETCH_TOO_LARGE',
  UND_ERR_INVALID_ARG: 'FETCH_BAD_REQUEST',
})

// OpenSSL's verdicts on certificates have codes of their own, such as CERT_HAS_EXPIRED.
const TLS_CODE = /^ERR_(SSL|TLS)_|CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$|_CA$|_CRL_/

export function failureCode(error: unknown, phase: RequestPhase, viaProxy: boolean): ErrorCode {
  if (error instanceof FetchFailure) return error.failure
  if (error instanceof HeadwaterError) return error.code
  // llhttp says that what came is not HTTP; the error does not always have a code.
  if (error instanceof errors.HTTPParserError) return phase === 'waiting' ? 'HTTP_UNEXPECTED' : 'FETCH_BROKEN'
  const code = errorCode(error)
  if (code === null) return phase === 'connecting' ? (viaProxy ? 'FETCH_PROXY' : 'FETCH_CONNECT') : 'FETCH_BROKEN'
  const known = BY_CODE[code]
  if (phase !== 'connecting') return code === 'ETIMEDOUT' || known === undefined ? 'FETCH_BROKEN' : known
  if (TLS_CODE.test(code) || isCutHandshake(error)) return 'FETCH_TLS'
  if (viaProxy && (known === undefined || known === 'FETCH_DNS')) return 'FETCH_PROXY'
  return known ?? 'FETCH_CONNECT'
}

/** The other side hung up or reset the connection before it answered. */
export function isHangUp(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE'
}

/** A short technical detail without URLs or headers, for the message. */
export function failureDetail(error: unknown): string {
  if (error instanceof FetchFailure) return error.message
  return errorCode(error) ?? (error instanceof Error ? error.name : 'no further detail')
}

function isCutHandshake(error: unknown): boolean {
  return error instanceof Error && error.message.includes('before secure TLS connection')
}

function errorCode(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : null
}
