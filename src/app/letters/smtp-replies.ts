import { type ErrorCode, HeadwaterError } from '../../runtime/errors.ts'

/** Why something is not taken, as SMTP says it (RFC 5321, 3463): 4… is worth another try, 5… is not. */
class SmtpRefusal extends Error {
  readonly responseCode: number

  constructor(responseCode: number, text: string) {
    super(text)
    this.responseCode = responseCode
  }
}

/** The same words for what never was and for what was revoked. */
export const noSuchMailbox = () => new SmtpRefusal(550, '5.1.1 No such mailbox here')
export const tooManyConnections = () => new SmtpRefusal(421, '4.7.0 Too many connections, try again later')
export const tooManyLetters = () => new SmtpRefusal(450, '4.7.1 Too many letters, try again later')
export const isPaused = () => new SmtpRefusal(450, '4.2.1 Mailbox is paused, try again later')
export const tooManyTries = () => new SmtpRefusal(421, '4.7.0 Too many unknown recipients')
export const noRoom = () => new SmtpRefusal(452, '4.3.1 No room for it now, try again later')
export const tooLarge = () => new SmtpRefusal(552, '5.3.4 Letter is too large')

const REFUSALS: Readonly<Partial<Record<ErrorCode, () => SmtpRefusal>>> = {
  SOURCE_NOT_FOUND: noSuchMailbox,
  LETTER_SENDER_REFUSED: () => new SmtpRefusal(550, '5.7.1 Sender is not allowed to write to this mailbox'),
  LETTER_TOO_COMPLEX: () => new SmtpRefusal(554, '5.6.0 Letter has too many parts'),
  LETTER_UNREADABLE: () => new SmtpRefusal(554, '5.6.0 Letter cannot be read'),
  LETTER_TOO_MANY: tooManyLetters,
  STORE_FULL: noRoom,
  STORE_READ_ONLY: noRoom,
}

/** What nobody expected is our own trouble: the letter is worth another try. */
export function refusalFor(error: unknown): SmtpRefusal {
  if (error instanceof SmtpRefusal) return error
  const known = error instanceof HeadwaterError ? REFUSALS[error.code] : undefined
  return known?.() ?? new SmtpRefusal(451, '4.3.0 Trouble here, try again later')
}

/** Ours to look into. */
export function isOwnTrouble(error: unknown): boolean {
  return refusalFor(error).responseCode === 451
}
