import { tableOf } from '../../model/table.ts'
import { type Phrase, phrase } from '../../runtime/phrase.ts'
import { QueryFailure, type TextSpan } from './errors.ts'

export type TokenKind = 'word' | 'variable' | 'string' | 'number' | 'date' | 'regex' | 'sign' | 'end'

export interface Token extends TextSpan {
  readonly kind: TokenKind
  /** As written; for a string or a pattern what it stands for, for a variable without `$`. */
  readonly value: string
  /** In capitals, for recognising keywords. */
  readonly upper: string
  /** Flags behind a pattern. */
  readonly flags: string
}

const BLANK = /[\s\u00a0\ufeff]+/uy
const LINE_COMMENT = /--[^\n]*/y
const WORD = /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:-[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)*/uy
const VARIABLE = /\$([\p{L}_][\p{L}\p{M}\p{N}_]*)/uy
const DATE = /\d{4}-\d\d(?:-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?)?/y
const NUMBER = /\d+(?:\.\d+)?/y
const SIGN = /!=|<>|<=|>=|[|[\](),;.=<>+*-]/y
const FLAGS = /[a-z]*/y
// NOW-3 DAYS is a time, not a name.
const NOW = /now(?=-)/iy
// Documents and chats turn quotes into these.
const CLOSING = tableOf<string>({ '"': '"', "'": "'", '“': '”', '„': '“', '«': '»', '‘': '’' })
const ESCAPES = tableOf<string>({ n: '\n', t: '\t', '"': '"', "'": "'", '\\': '\\' })

/** Cuts a text into tokens; the last is `end`. Linear in the length of the text. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (true) {
    at = skip(text, at)
    const token = nextToken(text, at, tokens[tokens.length - 1]?.upper === 'MATCHES')
    tokens.push(token)
    if (token.kind === 'end') return tokens
    at = token.end
  }
}

function skip(text: string, from: number): number {
  for (let at = from; ; ) {
    const end = endOf(BLANK, text, at) ?? endOf(LINE_COMMENT, text, at) ?? endOfComment(text, at)
    if (end === null) return at
    at = end
  }
}

function endOfComment(text: string, at: number): number | null {
  if (!text.startsWith('/*', at)) return null
  const close = text.indexOf('*/', at + 2)
  if (close === -1)
    throw new QueryFailure('QUERY_OPEN_COMMENT', { start: at, end: at + 2 }, phrase`This comment never ends`)
  return close + 2
}

function nextToken(text: string, at: number, patternExpected: boolean): Token {
  if (at >= text.length) return token('end', at, at, '')
  const first = text.charAt(at)
  if (CLOSING[first] !== undefined) return stringToken(text, at, CLOSING[first])
  if (first === '/' && patternExpected) return regexToken(text, at)
  const variable = matchAt(VARIABLE, text, at)
  if (variable !== null) return token('variable', at, at + variable[0].length, variable[1] ?? '')
  const word = matchAt(NOW, text, at) ?? matchAt(WORD, text, at)
  if (word !== null) return token('word', at, at + word[0].length, word[0])
  for (const [kind, pattern] of [
    ['date', DATE],
    ['number', NUMBER],
    ['sign', SIGN],
  ] as const) {
    const end = endOf(pattern, text, at)
    if (end !== null) return token(kind, at, end, text.slice(at, end))
  }
  throw unknownCharacter(text, at)
}

function token(kind: TokenKind, start: number, end: number, value: string, flags = ''): Token {
  return { kind, start, end, value, upper: kind === 'word' ? value.toUpperCase() : value, flags }
}

function stringToken(text: string, at: number, closing: string): Token {
  let value = ''
  for (let i = at + 1; i < text.length && text[i] !== '\n'; i++) {
    const character = text.charAt(i)
    if (character === closing) return { ...token('string', at, i + 1, value), upper: '' }
    if (character !== '\\') value += character
    else {
      i += 1
      const escaped = ESCAPES[text[i] ?? '']
      if (escaped === undefined) {
        const span = { start: i - 1, end: i + 1 }
        throw new QueryFailure('QUERY_BAD_ESCAPE', span, phrase`\\${text[i] ?? ''} means nothing in a text`)
      }
      value += escaped
    }
  }
  throw new QueryFailure(
    'QUERY_OPEN_STRING',
    { start: at, end: at + 1 },
    phrase`The text that begins here is not closed`,
  )
}

/** Everything up to the next slash that has no backslash before it; `\/` stands for a slash. */
function regexToken(text: string, at: number): Token {
  for (let i = at + 1; i < text.length && text[i] !== '\n'; i++) {
    if (text[i] === '\\') i += 1
    else if (text[i] === '/') {
      const end = endOf(FLAGS, text, i + 1)!
      const pattern = text.slice(at + 1, i).replaceAll('\\/', '/')
      return { ...token('regex', at, end, pattern, text.slice(i + 1, end)), upper: '' }
    }
  }
  throw new QueryFailure(
    'QUERY_OPEN_REGEX',
    { start: at, end: at + 1 },
    phrase`The pattern that begins here is not closed`,
  )
}

function unknownCharacter(text: string, at: number): QueryFailure {
  const character = String.fromCodePoint(text.codePointAt(at)!)
  const span = { start: at, end: at + character.length }
  const hints: Readonly<Record<string, Phrase>> = {
    $: phrase`A variable is $ and a name: $guardian.`,
    '/': phrase`A pattern follows MATCHES; a comment begins with -- or /*.`,
    '{': phrase`Group with ( and ); a variable takes [ and ].`,
    '}': phrase`Group with ( and ); a variable takes [ and ].`,
    '&': phrase`Write AND.`,
    '!': phrase`Write NOT, or !=.`,
    '#': phrase`A comment begins with -- or /*.`,
  }
  return new QueryFailure('QUERY_UNKNOWN_CHARACTER', span, phrase`“${character}” means nothing here`, hints[character])
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : null
}
