import type { Letter } from '../../letters/letter.ts'
import { letterItem } from '../../letters/letter-item.ts'
import { afterLetter, afterRefusedLetter, newItemOf } from '../../letters/letter-record.ts'
import { headersOf, localPartIn, mailboxOf, sourceUrlFor } from '../../letters/mailbox.ts'
import { readLetter } from '../../letters/read-letter.ts'
import { isAllowedSender } from '../../letters/senders.ts'
import { MINUTE_MS, type Source, type SourceId } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { type ErrorCode, HeadwaterError } from '../../runtime/errors.ts'
import type { Store } from '../../store/store.ts'
import { intakeToday } from '../crawling/intake.ts'

export interface LetterIntake {
  /** The source that a recipient stands for; null: none, whether it never did or does no more. */
  find(recipient: string): Promise<Source | null>
  /**
   * Stores a letter. Resolves when it is stored, or was before. Throws why it is refused: LETTER_…, CREDENTIALS_LOCKED,
   * SOURCE_NOT_FOUND.
   */
  accept(raw: Buffer, sourceId: SourceId): Promise<'stored' | 'known'>
}

type LetterStore = Pick<Store, 'source' | 'sourceByUrl' | 'updateSource' | 'knownItems' | 'recordRefresh' | 'intake'>

export interface IntakeDeps {
  readonly store: LetterStore
  readonly domain: string
  readonly clock: Pick<Clock, 'now'>
}

/** What a source shows as its last error. Others are the fault of this node or of its operator. */
const SHOWN_ERRORS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'LETTER_SENDER_REFUSED',
  'LETTER_TOO_COMPLEX',
  'LETTER_UNREADABLE',
  'LETTER_TOO_MANY',
])

export function createLetterIntake({ store, domain, clock }: IntakeDeps): LetterIntake {
  return {
    async find(recipient) {
      const localPart = localPartIn(recipient, domain)
      if (localPart === null) return null
      const url = sourceUrlFor(localPart)
      const source = await store.sourceByUrl(url)
      return source?.url === url ? source : null
    },
    async accept(raw, sourceId) {
      const source = await store.source(sourceId)
      if (source === null) throw new HeadwaterError('SOURCE_NOT_FOUND', String(sourceId))
      // Without its senders anybody would be the first.
      if (source.isLocked) throw new HeadwaterError('CREDENTIALS_LOCKED')
      try {
        return await take(source, await readLetter(raw))
      } catch (error) {
        if (error instanceof HeadwaterError && SHOWN_ERRORS.has(error.code)) await tell(source, error)
        throw error
      }
    },
  }

  async function take(source: Source, letter: Letter): Promise<'stored' | 'known'> {
    const sender = senderAllowed(source, letter)
    const now = clock.now()
    const item = newItemOf(letterItem(letter), now)
    if ((await store.knownItems(source.id, [item.key])).size > 0) return 'known'
    await demandRoom(source)
    if (mailboxOf(source).senders.length === 0) await remember(source, sender)
    const { added } = await store.recordRefresh(afterLetter(source, item, now))
    return added > 0 ? 'stored' : 'known'
  }

  /** Before the letter is stored: killed in between, it is sent again, and by the same sender. */
  async function remember(source: Source, sender: string): Promise<void> {
    const { localPart } = mailboxOf(source)
    await store.updateSource(source.id, { headers: headersOf({ localPart, senders: [sender] }) })
  }

  async function demandRoom(source: Source): Promise<void> {
    const { allowance, taken } = await intakeToday(source, store, clock.now())
    if (allowance !== null && taken >= allowance)
      throw new HeadwaterError('LETTER_TOO_MANY', `${taken} today, and no more are stored of it in a day`)
  }

  /** Not more than once a minute, whatever comes. */
  async function tell(source: Source, { code, message }: HeadwaterError): Promise<void> {
    const at = clock.now()
    const { lastError } = source.state
    if (lastError?.code === code && Math.abs(at - lastError.at) < MINUTE_MS) return
    await store.recordRefresh(afterRefusedLetter(source, { code, message, at }))
  }
}

function senderAllowed(source: Source, { from }: Letter): string {
  if (from === null) throw new HeadwaterError('LETTER_SENDER_REFUSED', 'it names none')
  const { senders } = mailboxOf(source)
  if (senders.length > 0 && !isAllowedSender(from.address, senders))
    throw new HeadwaterError('LETTER_SENDER_REFUSED', from.address.slice(0, 200))
  return from.address
}
