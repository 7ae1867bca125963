export type TokenLook = 'keyword' | 'field' | 'string' | 'number' | 'variable' | 'comment' | 'pattern'

export interface TokenSpan {
  readonly from: number
  readonly to: number
  readonly look: TokenLook
}

export interface Vocabulary {
  readonly keywords: ReadonlySet<string>
  readonly fields: ReadonlySet<string>
}

const PARTS: readonly (readonly [TokenLook | 'word', string])[] = [
  ['comment', String.raw`--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`],
  ['string', String.raw`"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|“[^”\n]*”?|„[^“\n]*“?|«[^»\n]*»?`],
  ['pattern', String.raw`(?<=matches\s*)\/(?:\\.|[^/\\\n])+\/?[a-z]*`],
  ['variable', String.raw`\$[\p{L}_][\p{L}\p{M}\p{N}_]*`],
  ['number', String.raw`\d+(?:\.\d+)?(?:-\d\d(?:-\d\d\S*)?)?`],
  ['word', String.raw`[\p{L}_][\p{L}\p{M}\p{N}_]*(?:-[\p{L}\p{N}_]+)*`],
]
const TOKEN = new RegExp(PARTS.map(([look, source]) => `(?<${look}>${source})`).join('|'), 'giu')

/** What is to be coloured, while it is being written: unlike the parser it takes everything, closed or not. */
export function tokenSpans(text: string, { keywords, fields }: Vocabulary): TokenSpan[] {
  const spans: TokenSpan[] = []
  for (const match of text.matchAll(TOKEN)) {
    const [look] = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined) ?? []
    const tokenLook = look === 'word' ? wordLook(match[0], keywords, fields) : (look as TokenLook)
    if (tokenLook) spans.push({ from: match.index, to: match.index + match[0].length, look: tokenLook })
  }
  return spans
}

function wordLook(word: string, keywords: ReadonlySet<string>, fields: ReadonlySet<string>): TokenLook | null {
  const upper = word.toUpperCase()
  if (fields.has(upper)) return 'field'
  return keywords.has(upper) ? 'keyword' : null
}
