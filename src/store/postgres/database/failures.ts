import { type ErrorCode, HeadwaterError } from '../../../runtime/errors.ts'

/** SQLSTATE classes and codes (PostgreSQL, appendix A) and those of Node's sockets, by what a person can do about them. */
const CODES: readonly (readonly [ErrorCode, readonly string[]])[] = [
  ['STORE_LOGIN_REFUSED', ['28', '3D000']],
  ['STORE_NO_RIGHTS', ['42501']],
  ['STORE_SERVER_UNFIT', ['25006']],
  ['STORE_FULL', ['53100']],
  [
    'STORE_UNREACHABLE',
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ],
  // No such socket, or one that others may not open.
  ['STORE_UNREACHABLE', ['ENOENT', 'EACCES', '57P', '08', '53300']],
  [
    'STORE_TLS',
    ['ERR_TLS', 'CERT_', 'UNABLE_TO_', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'EPROTO'],
  ],
  ['STORE_FAILED', ['53', '58', '40', '55P03', 'XX']],
]

/** What `pg` says without a code. */
const TEXTS: readonly (readonly [ErrorCode, RegExp])[] = [
  ['STORE_TLS', /does not support SSL|SSL connection/i],
  [
    'STORE_UNREACHABLE',
    /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client has encountered/i,
  ],
]

/** What the server refuses or the network loses becomes a coded error; a mistake of ours stays as it is. */
export function translate(shown: string, error: unknown): unknown {
  if (error instanceof HeadwaterError || !(error instanceof Error)) return error
  const code = codeOf(error)
  return code === null ? error : new HeadwaterError(code, `${shown}: ${error.message}`, { cause: error })
}

function codeOf(error: Error): ErrorCode | null {
  const given = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const byCode = given === '' ? undefined : CODES.find(([, begins]) => begins.some((begin) => given.startsWith(begin)))
  return byCode?.[0] ?? TEXTS.find(([, text]) => text.test(error.message))?.[0] ?? null
}

/** Another server of the same cluster may do it: this one cannot be reached or written, or is of another cluster. */
export function isElsewhere(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // All connections are in use; the server is well.
  if (error.message.startsWith('timeout exceeded when trying to connect')) return false
  const code = error instanceof HeadwaterError ? error.code : codeOf(error)
  return code === 'STORE_UNREACHABLE' || code === 'STORE_SERVER_UNFIT' || code === 'STORE_OTHER_CLUSTER'
}

/** Two transactions waited for each other, or the server gave up one of them: it may simply be done again. */
export function isRepeatable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001')
}
