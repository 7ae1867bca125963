import type { InstantMs } from '../model/index.ts'

/** A letter as it was read, its encodings undone; nothing is sanitised yet. */
export interface Letter {
  /** Without brackets; null: it has none. */
  readonly messageId: string | null
  readonly subject: string | null
  readonly from: LetterSender | null
  /** As its header says; null: it does not, or makes no sense. */
  readonly date: InstantMs | null
  readonly html: string | null
  readonly text: string | null
  /** All that is not its text. */
  readonly parts: readonly LetterPart[]
  readonly language: string | null
  readonly list: LetterList
}

export interface LetterSender {
  readonly name: string | null
  /** In lower case. */
  readonly address: string
}

export interface LetterPart {
  readonly name: string | null
  /** Media type, in lower case. */
  readonly type: string
  /** How its HTML refers to it (`cid:`); null: it cannot. */
  readonly contentId: string | null
  /** It is to be shown with the text, not to be saved (RFC 2183). */
  readonly isInline: boolean
  readonly bytes: Uint8Array
}

/** What its headers say of the list that it was sent to (RFC 2369, 2919, 5064). */
export interface LetterList {
  readonly id: string | null
  /** A web address, else a mail address as `mailto:`. */
  readonly unsubscribeUrl: string | null
  /** Where the same can be read on the web. */
  readonly archivedAt: string | null
}
