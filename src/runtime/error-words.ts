export interface ErrorWords {
  readonly summary: string
  /** For who sits at a command line. */
  readonly hint: string
  /** For who looks at a page, where the other would not help. */
  readonly pageHint?: string
}

/** What the message of an error says beyond the summary of its code. */
export type ErrorParams = Readonly<Record<string, string | number>>
