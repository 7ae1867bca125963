import { RE2JS } from 're2js'
import { type PlainPhrase, phrase, plainPhrase } from '../../runtime/phrase.ts'

export type TextPattern = { readonly test: (text: string) => boolean }

/** RE2 runs in time linear in the text, whatever the pattern: a user's pattern must not be able to stop the node. */
export function compilePattern(pattern: string, ignoreCase: boolean): TextPattern {
  const compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  return { test: (text) => compiled.test(text) }
}

/** What RE2 may say of a pattern, with the part that is wrong. */
export const PATTERN_PROBLEMS = [
  'invalid or unsupported Perl syntax',
  'invalid character class range',
  'invalid escape sequence',
  'invalid named capture',
  'invalid nested repetition operator',
  'invalid repeat count',
  'duplicate capture group name',
  'expression nests too deeply',
  'expression too large',
  'missing argument to repetition operator',
  'missing closing )',
  'missing closing ]',
  'trailing backslash at end of expression',
  'unexpected )',
] as const

/** What is wrong with a pattern; null: nothing. */
export function patternProblem(pattern: string): PlainPhrase | null {
  if (pattern.length > LONGEST_PATTERN) return phrase`longer than ${LONGEST_PATTERN} characters`
  try {
    RE2JS.compile(pattern)
    return null
  } catch (error) {
    return saidByRe2(error instanceof Error ? error.message : String(error))
  }
}

const LONGEST_PATTERN = 1_000

function saidByRe2(message: string): PlainPhrase {
  const text = message.replace(/^error parsing regexp: /, '')
  const known = PATTERN_PROBLEMS.find((problem) => text.startsWith(`${problem}: `))
  if (known === undefined) return plainPhrase(text)
  return { form: `${known}: {1}`, params: [text.slice(known.length + 2)] }
}
