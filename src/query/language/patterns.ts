import { RE2JS } from 're2js'

export type TextPattern = { readonly test: (text: string) => boolean }

/** RE2 runs in time linear in the text, whatever the pattern: a user's pattern must not be able to stop the node. */
export function compilePattern(pattern: string, ignoreCase: boolean): TextPattern {
  const compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  return { test: (text) => compiled.test(text) }
}

/** What is wrong with a pattern; null: nothing. */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > LONGEST_PATTERN) return `longer than ${LONGEST_PATTERN} characters`
  try {
    RE2JS.compile(pattern)
    return null
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'unusable'
  }
}

const LONGEST_PATTERN = 1_000
