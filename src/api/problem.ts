import type { FastifyReply } from 'fastify'
import type { ErrorParams } from '../runtime/error-words.ts'
import { ERRORS, type ErrorCode, HeadwaterError, pageHintOf } from '../runtime/errors.ts'
import type { Phrase } from '../runtime/phrase.ts'

/** One thing that is wrong with the input. */
export interface InputError {
  /** Where, as `body.url`. */
  readonly path: string
  readonly message: string
  /** What kind of mistake, where the schema found it. */
  readonly code?: string
  /** Limits and what else the message says. */
  readonly params?: ErrorParams
}

const STATUS: Partial<Record<ErrorCode, number>> = {
  FEED_NOT_FOUND: 404,
  FEED_PRIVATE: 401,
  SOURCE_NOT_FOUND: 404,
  ADDRESS_NOT_FOUND: 404,
  PUSH_UNKNOWN: 410,
  PUSH_UNWANTED: 404,
  PUSH_TOO_MANY: 429,
  HUB_REQUEST_INVALID: 400,
  HUB_TOPIC_UNKNOWN: 404,
  HUB_TOO_MANY: 429,
  NETWORK_PROTOCOL: 422,
  NETWORK_PROFILE_INVALID: 422,
  NETWORK_SIGNATURE: 422,
  NETWORK_PROFILE_ELSEWHERE: 422,
  NETWORK_PROFILE_OLD: 422,
  NETWORK_ITSELF: 422,
  NETWORK_ID_TAKEN: 422,
  NETWORK_NODE_UNKNOWN: 404,
  NETWORK_TOO_MANY: 409,
  NETWORK_NOT_PROPOSED: 409,
  PEER_REFUSED: 401,
  PEER_TOO_MANY: 429,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_INVALID: 400,
  QUALITY_SCOPE: 400,
  SOURCE_EXISTS: 409,
  SOURCE_NOT_FETCHED: 409,
  SOURCE_NO_FEED_FOUND: 422,
  ADDRESS_RULE_INVALID: 400,
  ADDRESS_RULE_NOT_FOUND: 404,
  LIST_EXISTS: 409,
  RULE_INVALID: 422,
  RULE_NOT_FOUND: 404,
  LIST_NOT_FOUND: 404,
  SITE_RULE_INVALID: 400,
  SITE_RULE_FAILS: 422,
  SITE_RULE_NOT_FOUND: 404,
  PAGE_NOT_STORED: 404,
  OPML_INVALID: 400,
  QUERY_INVALID: 400,
  QUERY_NOT_FOUND: 404,
  QUERY_BUSY: 409,
  USAGE: 400,
  FILE_OUTSIDE: 400,
  LIMIT_REACHED: 409,
  INTERVAL_TOO_SHORT: 400,
  FILE_TAKEN: 409,
  MAIL_NOT_SET_UP: 409,
  LOGIN_NEEDED: 401,
  LOGIN_FAILED: 401,
  RIGHT_MISSING: 403,
  TOO_MANY_ATTEMPTS: 429,
  LOGIN_BUSY: 503,
  ORIGIN_REFUSED: 403,
  OWNER_EXISTS: 409,
  OWNER_ELSEWHERE: 403,
  USER_EXISTS: 409,
  USER_NOT_FOUND: 404,
  INVITATION_INVALID: 400,
  SESSION_NOT_FOUND: 404,
  TOKEN_NOT_FOUND: 404,
  ITEM_NOT_FOUND: 404,
  IMAGE_NOT_FOUND: 404,
  IMAGE_UNUSABLE: 422,
  SUBSCRIPTION_NOT_FOUND: 404,
  JOB_NOT_FOUND: 404,
  LAB_UNAVAILABLE: 501,
  LAB_NO_HISTORY: 409,
  SETTING_FIXED: 409,
  BACKUP_INVALID: 400,
  BACKUP_ELSEWHERE: 501,
  STORE_FULL: 507,
  STORE_READ_ONLY: 507,
  STORE_FAILED: 503,
  STORE_CORRUPT: 503,
  NODE_BUSY: 503,
  ANSWER_TOO_LATE: 503,
}

/** When a refused client may try again. */
const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = { NODE_BUSY: 2, ANSWER_TOO_LATE: 30 }

/** What went wrong while fetching for somebody is the other site's failure. */
export function statusOf(code: ErrorCode): number {
  return STATUS[code] ?? (/^(FETCH|HTTP|PARSE)_/.test(code) ? 422 : 500)
}

interface ProblemParts {
  /** The detail in parts. */
  readonly phrase?: Phrase | undefined
  readonly params?: ErrorParams | undefined
  readonly errors?: readonly InputError[] | undefined
}

/** Error answers are problem details (RFC 9457); `code` is from the table in runtime/errors.ts. */
export function sendProblem(
  reply: FastifyReply,
  code: ErrorCode,
  detail?: string,
  { errors, params, phrase }: ProblemParts = {},
): FastifyReply {
  const status = statusOf(code)
  const { summary } = ERRORS[code]
  const hint = pageHintOf(code)
  const retryAfter = RETRY_AFTER_SECONDS[code]
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .send(
      JSON.stringify({
        type: `urn:headwater:error:${code}`,
        title: summary,
        status,
        detail,
        code,
        hint,
        params,
        phrase,
        errors,
      }),
    )
}

export class InvalidInput extends HeadwaterError {
  readonly errors: readonly InputError[]

  constructor(errors: readonly InputError[]) {
    super('REQUEST_INVALID', errors.map(({ path, message }) => `${path}: ${message}`).join('; '))
    this.errors = errors
  }
}

/** Not now: the answer says after how many seconds. */
export class TryLater extends HeadwaterError {
  readonly retryAfterS: number
  override readonly params: ErrorParams

  constructor(code: ErrorCode, retryAfterS: number, detail?: string) {
    super(code, detail ?? `try again in ${retryAfterS} s`)
    this.retryAfterS = retryAfterS
    this.params = { retryAfterS }
  }
}

/** The client gets the details of its own mistakes; of failures here only the code. */
export function problemOf(error: unknown): ProblemParts & { readonly code: ErrorCode; readonly detail?: string } {
  const errors = error instanceof InvalidInput ? error.errors : undefined
  // What the store says names its files.
  if (error instanceof HeadwaterError && error.code.startsWith('STORE_')) return { code: error.code }
  if (error instanceof HeadwaterError) {
    const { code, message: detail, params, phrase } = error
    return { code, detail, params, phrase, errors }
  }
  const status = (error as { statusCode?: unknown } | null)?.statusCode
  if (status === 429) return { code: 'TOO_MANY_ATTEMPTS' }
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return { code: 'REQUEST_INVALID', detail: (error as Error).message }
  }
  return { code: 'INTERNAL' }
}
