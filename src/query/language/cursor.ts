import { entryAt } from '../../model/entry-at.ts'
import { type Phrase, type PhrasePart, type PlainPhrase, phrase } from '../../runtime/phrase.ts'
import { QueryFailure, type TextSpan } from './errors.ts'
import { didYouMean } from './suggest.ts'
import type { Token, TokenKind } from './tokens.ts'

/** Words that end or join clauses, and so cannot be names or unquoted texts. */
const RESERVED = new Set(
  'CREATE REGISTER ALTER DROP SUBSCRIBE UNSUBSCRIBE FEED AS RETURN JOIN JOINED ON WITH WHERE ORDER DISTINCT BY ALL AND OR NOT IN CONTAINS MATCHES SIMILAR OUTPUT'.split(
    ' ',
  ),
)

/** Reads tokens one after the other; everything that is not as it must be becomes a failure that says what must be. */
export class TokenCursor {
  private readonly tokens: readonly Token[]
  private position = 0

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  get token(): Token {
    return entryAt(this.tokens, this.position)
  }

  get next(): Token {
    return entryAt(this.tokens, Math.min(this.position + 1, this.tokens.length - 1))
  }

  get ended(): boolean {
    return this.token.kind === 'end'
  }

  /** From the start of a token to the end of the last one read. */
  spanFrom(start: Token): TextSpan {
    return { start: start.start, end: entryAt(this.tokens, Math.max(0, this.position - 1)).end }
  }

  advance(): Token {
    const { token } = this
    if (token.kind !== 'end') this.position += 1
    return token
  }

  at(...keywords: readonly string[]): boolean {
    return this.token.kind === 'word' && keywords.includes(this.token.upper)
  }

  atSign(...signs: readonly string[]): boolean {
    return this.token.kind === 'sign' && signs.includes(this.token.value)
  }

  /** Reads the keyword or the sign if it is there. */
  take(text: string): Token | null {
    return this.at(text) || this.atSign(text) ? this.advance() : null
  }

  expect(text: string): Token {
    return this.take(text) ?? this.fail([text])
  }

  expectKind(kind: TokenKind, what: PlainPhrase): Token {
    return this.token.kind === kind ? this.advance() : this.fail([what])
  }

  /** One of these keywords, in capitals. */
  expectOne<K extends string>(keywords: readonly K[]): K {
    if (!this.at(...keywords)) this.fail(keywords)
    return this.advance().upper as K
  }

  name(what: PlainPhrase): { readonly name: string; readonly at: TextSpan } {
    const { token } = this
    if (token.kind !== 'word') {
      const quoted =
        token.kind === 'string' && what.form.includes('name') ? phrase`A name is written without quotes.` : undefined
      return this.fail([what], quoted)
    }
    if (RESERVED.has(token.upper)) {
      throw new QueryFailure(
        'QUERY_RESERVED_WORD',
        token,
        phrase`Expected ${what}; ${token.upper} is a word of the language`,
      )
    }
    this.advance()
    return { name: token.value, at: { start: token.start, end: token.end } }
  }

  /** A text in quotes, or one word without them. */
  text(what: PlainPhrase): string {
    const { token } = this
    if (token.kind === 'string' || token.kind === 'number') return this.advance().value
    if (token.kind !== 'word') return this.fail([what], phrase`Put it in "quotes".`)
    if (RESERVED.has(token.upper)) {
      const hint = phrase`If you mean the word itself, write "${token.value}".`
      throw new QueryFailure(
        'QUERY_RESERVED_WORD',
        token,
        phrase`Expected ${what}; ${token.upper} is a word of the language`,
        hint,
      )
    }
    return this.advance().value
  }

  number(what: PlainPhrase, least: number, most: number, whole: boolean): number {
    const token = this.expectKind('number', what)
    const value = Number(token.value)
    if (value < least || value > most || (whole && !Number.isSafeInteger(value))) {
      const range = whole
        ? phrase`Give a whole number from ${least} to ${most}.`
        : phrase`Give a number from ${least} to ${most}.`
      throw new QueryFailure('QUERY_BAD_NUMBER', token, phrase`${token.value} cannot be ${what}`, range)
    }
    return value
  }

  /** Where a file goes on after an error: behind the next semicolon. */
  skipStatement(): void {
    while (!this.ended && !this.atSign(';')) this.advance()
    this.take(';')
  }

  fail(expected: readonly PhrasePart[], hint?: Phrase): never {
    const { token } = this
    if (token.kind === 'end') {
      throw new QueryFailure(
        'QUERY_UNFINISHED',
        token,
        phrase`The text ends here; expected ${expected}`,
        hint ?? phrase`Go on with ${expected}.`,
      )
    }
    const similar =
      token.kind === 'word'
        ? didYouMean(
            token.value,
            expected.flatMap((one) => (typeof one === 'string' && /^[A-Z]+$/.test(one) ? [one] : [])),
          )
        : undefined
    throw new QueryFailure(
      'QUERY_UNEXPECTED',
      token,
      phrase`Expected ${expected}, found ${tokenText(token)}`,
      similar ?? hint ?? phrase`Write ${expected} here.`,
    )
  }
}

export function tokenText(token: Token): PhrasePart {
  if (token.kind === 'end') return phrase`the end`
  if (token.kind === 'string') return phrase`the text "${token.value}"`
  if (token.kind === 'regex') return phrase`the pattern /${token.value}/`
  return token.kind === 'variable' ? `$${token.value}` : token.value
}
