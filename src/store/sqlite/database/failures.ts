import { type ErrorCode, HeadwaterError } from '../../../runtime/errors.ts'

const DAMAGED = ['SQLITE_CORRUPT', 'SQLITE_NOTADB']
const REFUSED = [
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_PERM',
  'SQLITE_AUTH',
  'SQLITE_NOMEM',
  'SQLITE_PROTOCOL',
  'SQLITE_TOOBIG',
]
const FILE_SYSTEM = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EEXIST', 'ENOENT', 'EDQUOT', 'EIO']

/** Runs an action; what the database or file system refuses becomes a coded error, a mistake of ours stays as it is. */
export function translateErrors<T>(path: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw translate(path, error)
  }
}

export function translate(path: string, error: unknown): unknown {
  if (error instanceof HeadwaterError || !(error instanceof Error)) return error
  const code = codeOf(error)
  return code === null ? error : new HeadwaterError(code, `${path}: ${error.message}`, { cause: error })
}

function codeOf(error: Error): ErrorCode | null {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // Extended codes begin with the basic one: SQLITE_IOERR_WRITE, SQLITE_CORRUPT_VTAB.
  const among = (codes: readonly string[]) => codes.some((basic) => code === basic || code.startsWith(`${basic}_`))
  if (among(DAMAGED)) return 'STORE_CORRUPT'
  if (among(REFUSED) || FILE_SYSTEM.includes(code)) return 'STORE_FAILED'
  return null
}
