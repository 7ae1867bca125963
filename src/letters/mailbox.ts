import { createHash } from 'node:crypto'
import { LETTERS_SCHEME, type Source } from '../model/index.ts'
import type { SenderRule } from './senders.ts'

/**
 * Where letters for a source go. The secret part of its address is stored sealed, as headers of a source are, beside those
 * that may send: both are what a letter of the source carries. Its hash is the address of the source, which everybody may
 * see and by which it is found.
 */
export interface Mailbox {
  /** Before the @; null: it was revoked. */
  readonly localPart: string | null
  readonly senders: readonly SenderRule[]
}

const TO = 'Delivered-To'
const FROM = 'From'
const LOCAL_PART = /^[0-9a-f]{32}$/

export function mailboxOf({ headers }: Pick<Source, 'headers'>): Mailbox {
  const senders = (headers[FROM] ?? '').split(',').map((rule) => rule.trim())
  return { localPart: headers[TO] ?? null, senders: senders.filter((rule) => rule !== '') }
}

export function headersOf({ localPart, senders }: Mailbox): Readonly<Record<string, string>> {
  return {
    ...(localPart === null ? {} : { [TO]: localPart }),
    ...(senders.length === 0 ? {} : { [FROM]: senders.join(', ') }),
  }
}

/** 128 bits that nobody can guess, in letters that survive a server which changes capitals. */
export function localPartFrom(secret: string): string {
  return hex(secret).slice(0, 32)
}

/** The address of the source that has this local part, or of one that has none any more. */
export function sourceUrlFor(localPart: string): string {
  return LETTERS_SCHEME + hex(`letters for ${localPart}`).slice(0, 40)
}

/** The local part of a recipient; null: it cannot be one of ours. */
export function localPartIn(recipient: string, domain: string): string | null {
  const at = recipient.lastIndexOf('@')
  const localPart = recipient.slice(0, Math.max(0, at)).toLowerCase()
  const isOurs = recipient.slice(at + 1).toLowerCase() === domain.toLowerCase()
  return isOurs && LOCAL_PART.test(localPart) ? localPart : null
}

function hex(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
