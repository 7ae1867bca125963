import type * as Nodemailer from 'nodemailer'
import { type DurationMs, SECOND_MS } from '../../model/index.ts'
import { loadLater } from '../../runtime/load-later.ts'
import { type Channel, DELIVERY_DONE, type DeliveryOutcome, type Outgoing, retryLater } from './channel.ts'
import { composeMail } from './mail-message.ts'

export interface MailOptions {
  /** `smtp://user:password@host:port` or `smtps://…`; null: mail is not set up. */
  readonly smtpUrl: string | null
  readonly from: string
  /** For each step of the conversation. */
  readonly timeoutMs?: DurationMs
}

/** A digest is not a book; what is over comes in the next mail at once. */
const MOST_IN_DIGEST = 200

const nodemailer = loadLater<typeof Nodemailer>('nodemailer')

/** A mail for each publication, or one for all of an interval. */
export function createMailChannel({ smtpUrl, from, timeoutMs = 30 * SECOND_MS }: MailOptions): Channel {
  const transport =
    smtpUrl === null
      ? null
      : nodemailer().createTransport({
          url: smtpUrl,
          connectionTimeout: timeoutMs,
          greetingTimeout: timeoutMs,
          socketTimeout: timeoutMs,
          disableFileAccess: true,
          disableUrlAccess: true,
        })
  return {
    mostItems: (everyMs) => (everyMs === null ? 1 : MOST_IN_DIGEST),
    async deliver(outgoing: Outgoing, signal: AbortSignal): Promise<DeliveryOutcome> {
      if (transport === null) return retryLater('MAIL_NOT_SET_UP', 'give --smtp-url')
      const { headers, ...message } = composeMail(outgoing, from)
      const stop = stopped(signal)
      try {
        const sent = transport.sendMail({ ...message, headers: asWritten(headers) }).then(() => DELIVERY_DONE)
        // Nobody looks at it any more once the node stops.
        sent.catch(() => {})
        return await Promise.race([sent, stop.outcome])
      } catch (error) {
        return readFailure(error)
      } finally {
        stop.forget()
      }
    },
    close: async () => transport?.close(),
  }
}

/** A conversation cannot be broken off, but a node that stops need not wait for its end. */
function stopped(signal: AbortSignal): { readonly outcome: Promise<DeliveryOutcome>; forget(): void } {
  let end = () => {}
  const outcome = new Promise<DeliveryOutcome>((resolve) => {
    end = () => resolve(retryLater('INTERRUPTED', 'the node was stopping'))
  })
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
  return { outcome, forget: () => signal.removeEventListener('abort', end) }
}

/** They are plain ASCII already; encoded, a List-Id would not be known as one. */
function asWritten(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { prepared: true, value }]))
}

/**
 * RFC 5321 §4.2.1: 5yz is for ever. Not at once, though: a mistake in the settings of a server looks the same, and is
 * corrected.
 */
function readFailure(error: unknown): DeliveryOutcome {
  const { responseCode, code } = (error ?? {}) as { responseCode?: unknown; code?: unknown }
  if (typeof responseCode !== 'number' && typeof code !== 'string') throw error
  const detail = typeof responseCode === 'number' ? `SMTP ${responseCode}` : String(code)
  const isRefusal = typeof responseCode === 'number' && responseCode >= 500 && code !== 'EAUTH'
  return isRefusal ? retryLater('MAIL_REFUSED', detail, { isRefusal }) : retryLater('MAIL_FAILED', detail)
}
