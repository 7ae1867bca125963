import { type Phrase, phraseText, plainPhrase } from '../../runtime/phrase.ts'

/**
 * Everything that can be wrong with a query text. A code never changes its meaning; docs/query-language.md explains each
 * (a test compares the two). `hint` says what to do where the place itself does not give a better one.
 */
export const QUERY_ERRORS = {
  // Characters and words
  QUERY_UNKNOWN_CHARACTER: { summary: 'A character that means nothing here', hint: 'Put texts in "quotes".' },
  QUERY_OPEN_STRING: { summary: 'A text that is not closed on its line', hint: 'Close it with the same quote.' },
  QUERY_OPEN_COMMENT: { summary: 'A comment that never ends', hint: 'Close it with */.' },
  QUERY_OPEN_REGEX: {
    summary: 'A pattern that is not closed on its line',
    hint: 'Write MATCHES /pattern/; a slash inside is \\/.',
  },
  QUERY_BAD_ESCAPE: { summary: 'An unknown escape in a text', hint: 'There are \\" \\\' \\\\ \\n and \\t.' },
  QUERY_BAD_NUMBER: { summary: 'Not a usable number', hint: 'Give a plain number within the range named.' },
  // Grammar
  QUERY_UNEXPECTED: { summary: 'Something else was expected', hint: 'See docs/query-language.md for the grammar.' },
  QUERY_UNFINISHED: { summary: 'The text ends too early', hint: 'Finish the statement.' },
  QUERY_UNKNOWN_STATEMENT: {
    summary: 'Not a statement',
    hint: 'Begin with REGISTER, CREATE, ALTER, DROP, SUBSCRIBE or UNSUBSCRIBE.',
  },
  QUERY_RESERVED_WORD: { summary: 'A word of the language cannot be a name', hint: 'Choose another name.' },
  QUERY_MISSING_SEMICOLON: { summary: 'Two statements without a semicolon between', hint: 'Put ; before it.' },
  QUERY_CLAUSE_TWICE: { summary: 'The same clause twice', hint: 'Keep one of them.' },
  QUERY_CLAUSE_ORDER: {
    summary: 'A clause at the wrong place',
    hint: 'The order is RETURN, JOIN, WHERE, DISTINCT BY, ORDER BY, FULLTEXT.',
  },
  QUERY_NOTHING_TO_ALTER: {
    summary: 'ALTER without a change',
    hint: 'Say what changes: TITLE, LIMIT, CATEGORY, WEIGHT or AS RETURN …',
  },
  QUERY_TOO_DEEP: { summary: 'Parentheses nested too deeply', hint: 'At most 200 levels: write it flatter.' },
  QUERY_TOO_LONG: { summary: 'The text or one condition is too long', hint: 'Divide it into several query feeds.' },
  // Predicates
  QUERY_UNKNOWN_FIELD: {
    summary: 'No such field',
    hint: 'There are TITLE, DESCRIPTION, CONTENT, ITEM, CATEGORY, AUTHOR, LINK, LANGUAGE, SOURCE, SOURCE CATEGORY, PUBLISHED, ENCLOSURE.',
  },
  QUERY_UNKNOWN_OPERATOR: {
    summary: 'No such comparison',
    hint: 'There are CONTAINS, =, !=, IN (…), MATCHES /…/, SIMILAR and, for PUBLISHED and COUNT, <, <=, >, >=.',
  },
  QUERY_WRONG_OPERATOR: { summary: 'This field cannot be compared so', hint: 'See the table of fields.' },
  QUERY_LONE_VALUE: {
    summary: 'A text without a field',
    hint: 'Write for example ITEM CONTAINS "…"; after CONTAINS or = further texts may follow OR and AND alone.',
  },
  QUERY_EMPTY_TEXT: { summary: 'A text without any word', hint: 'Give at least one letter or digit.' },
  QUERY_BAD_REGEX: {
    summary: 'The pattern cannot be used',
    hint: 'Patterns are those of RE2: no look-around, no back references.',
  },
  QUERY_BAD_DATE: {
    summary: 'Not a date',
    hint: 'Write "2024-05-31", "2024-05-31T18:00Z", 3 DAYS AGO or NOW - 3 DAYS.',
  },
  QUERY_BAD_UNIT: { summary: 'Not a unit of time', hint: 'There are SECONDS, MINUTES, HOURS, DAYS and WEEKS.' },
  QUERY_BAD_LANGUAGE: { summary: 'Not a language tag', hint: 'Write a tag such as "en", "de" or "pt-BR".' },
  // Sources, variables and joins
  QUERY_BAD_URL: {
    summary: 'Not a usable http or https address',
    hint: 'Give a full address such as "https://example.org/feed.xml"; names are written without quotes.',
  },
  QUERY_BAD_MAIL: { summary: 'Not a mail address', hint: 'Write an address such as "me@example.org".' },
  QUERY_UNKNOWN_VARIABLE: { summary: 'No source has this variable', hint: 'Give it to a source with AS.' },
  QUERY_VARIABLE_TWICE: { summary: 'Two sources with the same variable', hint: 'Give each its own.' },
  QUERY_VARIABLE_NESTED: {
    summary: 'A variable inside the brackets of another',
    hint: 'Close the first bracket before: $a[…] AND $b[…].',
  },
  QUERY_JOIN_VARIABLE: {
    summary: 'The joined feed is not available here',
    hint: 'Its items can be compared in the WITH condition of the JOIN only.',
  },
  QUERY_JOIN_UNBOUND: {
    summary: 'The join compares nothing',
    hint: 'Compare both feeds, for example WITH TITLE SIMILAR $w.TITLE > 0.6.',
  },
  QUERY_JOIN_FIELD: { summary: 'These two fields cannot be compared', hint: 'Compare the same field of both items.' },
  QUERY_SCORE_UNJOINED: {
    summary: 'The score compares with nothing',
    hint: 'SIMILARITY is that of joined items: add a JOIN, or leave it out.',
  },
  // Names
  QUERY_UNKNOWN_SOURCE: {
    summary: 'No source or query feed of this name',
    hint: 'REGISTER FEED "url" AS name; first, or give the address in quotes.',
  },
  QUERY_UNKNOWN_CATEGORY: { summary: 'No source is in this category', hint: 'See `headwater source list`.' },
  QUERY_UNKNOWN_FEED: { summary: 'No query feed of this name', hint: 'See `headwater query list`.' },
  QUERY_NAME_TAKEN: { summary: 'The name is taken', hint: 'Choose another, or use ALTER FEED.' },
  QUERY_WRONG_KIND: {
    summary: 'This clause does not fit this feed',
    hint: 'TITLE, LIMIT and AS RETURN belong to query feeds, CATEGORY to registered ones; WEIGHT to both.',
  },
  QUERY_CYCLE: { summary: 'Query feeds that need each other', hint: 'Take one of them out of the circle.' },
  QUERY_FEED_IN_USE: { summary: 'Query feeds read this source', hint: 'Drop or alter those first.' },
  QUERY_NOT_READABLE: {
    summary: 'Whose feed it is may not read this, or not publish it',
    hint: 'Make the feed private first, or read something else.',
  },
} as const satisfies Record<`QUERY_${string}`, { readonly summary: string; readonly hint: string }>

/** A code of `QUERY_ERRORS`. */
export type QueryErrorCode = keyof typeof QUERY_ERRORS

/** Where a part of a query text is: offsets in UTF-16 units, end exclusive. */
export interface TextSpan {
  readonly start: number
  readonly end: number
}

/** What is wrong with a query text, where, and what to do. */
export interface QueryError {
  readonly code: QueryErrorCode
  readonly message: string
  /** What to do next; often "did you mean …". */
  readonly hint: string
  /** From 1; columns count characters. */
  readonly line: number
  readonly column: number
  readonly offset: number
  readonly length: number
  /** The line with a caret under the place. */
  readonly excerpt: string
  /** Message and hint, to be said in another language. */
  readonly phrases: { readonly message: Phrase; readonly hint: Phrase }
}

/** Thrown inside the parser only; callers get values. */
export class QueryFailure extends Error {
  readonly code: QueryErrorCode
  readonly span: TextSpan
  readonly phrases: QueryError['phrases']

  constructor(code: QueryErrorCode, span: TextSpan, message: Phrase, hint?: Phrase) {
    super(phraseText(message))
    this.code = code
    this.span = span
    this.phrases = { message, hint: hint ?? plainPhrase(QUERY_ERRORS[code].hint) }
  }
}

const LONGEST_LINE = 160

export function describeFailure(text: string, { code, span, message, phrases }: QueryFailure): QueryError {
  const start = Math.min(span.start, text.length)
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const newline = text.indexOf('\n', start)
  const lineEnd = newline === -1 ? text.length : newline
  const line = countLines(text, lineStart)
  const column = [...text.slice(lineStart, start)].length + 1
  const length = Math.max(1, Math.min(span.end, lineEnd) - start)
  return {
    code,
    message,
    hint: phraseText(phrases.hint),
    line,
    column,
    offset: start,
    length,
    excerpt: excerpt(text, lineStart, lineEnd, start, length),
    phrases,
  }
}

function countLines(text: string, before: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < before; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

/** A part of the line around the place if it is long; tabs stay tabs, so that the caret stands under its character. */
function excerpt(text: string, lineStart: number, lineEnd: number, start: number, length: number): string {
  const from = start - lineStart > LONGEST_LINE / 2 ? start - LONGEST_LINE / 2 : lineStart
  const to = Math.min(lineEnd, from + LONGEST_LINE)
  const blank = [...text.slice(from, start)].map((c) => (c === '\t' ? '\t' : ' ')).join('')
  const carets = '^'.repeat(Math.max(1, [...text.slice(start, Math.min(start + length, to))].length))
  return `${text.slice(from, to).replace(/\r$/, '')}\n${blank}${carets}`
}

/** For people: place, message, line with caret, hint. */
export function formatQueryError({ code, message, hint, line, column, excerpt }: QueryError): string {
  const lines = excerpt.split('\n').map((part) => `  ${part}`)
  return [`${line}:${column} ${message} (${code})`, ...lines, hint].join('\n')
}
