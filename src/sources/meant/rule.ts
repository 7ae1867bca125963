import type { Pattern } from './pattern.ts'

/** From addresses of some form to where their feeds are. Forms and templates: pattern.ts. */
export interface AddressRule {
  /** What the address is of, in words: YouTube channel. */
  readonly name: string
  readonly match: readonly string[]
  /** Addresses of feeds, likeliest first. */
  readonly give?: readonly string[]
  /** One request that says where the feed is. Without `give` and `ask` the page itself says it. */
  readonly ask?: AskTemplate
  /** Words that no name of the form may stand for. */
  readonly except?: readonly string[]
  /** Any site may have such addresses: tried where the page names no feed. */
  readonly isGuess?: true
  /** What is given are feeds of different things, one as good as the other. */
  readonly isChoice?: true
}

export type AskTemplate =
  /** A value in a JSON document. */
  | { readonly kind: 'json'; readonly url: string; readonly path: readonly (string | number)[] }
  /** A word in a document behind one of these texts, which the templates then have as `{found}`; without url: the page itself. */
  | {
      readonly kind: 'mark'
      readonly url?: string
      readonly after: readonly string[]
      readonly give: readonly string[]
    }

/** One request, and how its answer is read (answer.ts). */
export type Ask =
  /** Who is this account? (RFC 7033) */
  | { readonly kind: 'webfinger'; readonly url: string }
  | { readonly kind: 'json'; readonly url: string; readonly path: readonly (string | number)[] }
  | { readonly kind: 'mark'; readonly url: string; readonly after: readonly string[]; readonly give: readonly string[] }

export interface CompiledRule extends AddressRule {
  readonly patterns: readonly Pattern[]
}
