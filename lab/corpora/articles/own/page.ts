/** A page of our own making, with what a reader would say of it. */
export interface LabelledFixture {
  readonly name: string
  readonly url: string
  readonly html: string
  /** As the answer names it; left out: the answer says `text/html; charset=utf-8`. */
  readonly contentType?: string
  /** The page is sent in this charset. */
  readonly charset?: string
  readonly expected: {
    readonly title: string
    readonly author: string | null
    /** A day. */
    readonly date: string | null
    readonly language: string
    /** A sentence that must be in the text, and one that must not. */
    readonly has: string
    readonly hasNot?: string
  }
}
