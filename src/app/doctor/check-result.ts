import { ERRORS, type ErrorCode, HeadwaterError } from '../../runtime/errors.ts'

/** What an examination of one thing found. */
export interface CheckResult {
  /** What was looked at, in a word or two. */
  readonly what: string
  readonly state: 'ok' | 'warning' | 'fault'
  /** Stable, as docs/errors.md has it or a word of its own; null: nothing is wrong. */
  readonly code: string | null
  readonly words: string
  /** What to do; null: nothing. */
  readonly hint: string | null
}

export function fine(what: string, words: string): CheckResult {
  return { what, state: 'ok', code: null, words, hint: null }
}

export function wrong(
  what: string,
  state: 'warning' | 'fault',
  code: string,
  words: string,
  hint: string,
): CheckResult {
  return { what, state, code, words, hint }
}

/** What failed with a code of ours says what to do; a surprise does not. */
export function failed(what: string, error: unknown): CheckResult {
  if (error instanceof HeadwaterError) return wrong(what, 'fault', error.code, error.message, error.hint)
  const code: ErrorCode = 'INTERNAL'
  const words = error instanceof Error ? error.message : String(error)
  return wrong(what, 'fault', code, words, ERRORS[code].hint)
}
