import type { Attachment, ParsedMail } from 'mailparser'
import { HeadwaterError } from '../runtime/errors.ts'
import { escapeHtml, textAsHtml } from './html-text.ts'
import type { Letter, LetterPart, LetterSender } from './letter.ts'
import { letterShapeOf, shapeProblem } from './letter-shape.ts'
import { readListHeaders } from './list-headers.ts'

/** What is costly and not needed: the text stays text, pictures are put in by us. */
const PLAINLY = { skipHtmlToText: true, skipTextToHtml: true, skipTextLinks: true, skipImageLinks: true }
const MOST_ATTACHMENTS = 200
const LONGEST_LANGUAGE = 35

/** Bytes become a letter. Throws LETTER_TOO_COMPLEX and LETTER_UNREADABLE, and nothing else. */
export async function readLetter(raw: Buffer): Promise<Letter> {
  const problem = shapeProblem(letterShapeOf(raw))
  if (problem !== null) throw new HeadwaterError('LETTER_TOO_COMPLEX', problem)
  const mail = await parseMail(raw)
  if (mail.attachments.length > MOST_ATTACHMENTS)
    throw new HeadwaterError('LETTER_TOO_COMPLEX', `${mail.attachments.length} parts, more than ${MOST_ATTACHMENTS}`)
  return withForwarded(letterOf(mail), mail.attachments)
}

/** Loaded with the first letter: a node that gets none does without. */
async function parseMail(raw: Buffer): Promise<ParsedMail> {
  const { simpleParser } = await import('mailparser')
  try {
    return await simpleParser(raw, PLAINLY)
  } catch (error) {
    throw new HeadwaterError('LETTER_UNREADABLE', error instanceof Error ? error.message : undefined, { cause: error })
  }
}

function letterOf(mail: ParsedMail): Letter {
  const header = (name: string) => headerOf(mail, name)
  return {
    messageId: messageIdOf(header('message-id')),
    subject: mail.subject ?? null,
    from: senderOf(mail),
    date: dateOf(header('date')),
    html: typeof mail.html === 'string' ? mail.html : null,
    text: mail.text ?? null,
    parts: mail.attachments.map(partOf),
    language: languageOf(header('content-language')),
    list: readListHeaders(header),
  }
}

/** As it was sent, unfolded; of several the first. */
function headerOf({ headerLines }: ParsedMail, name: string): string | null {
  const line = headerLines.find(({ key }) => key === name)?.line
  if (line === undefined) return null
  const value = line.slice(line.indexOf(':') + 1).replace(/\r?\n[ \t]*/g, ' ')
  return value.trim() || null
}

function messageIdOf(value: string | null): string | null {
  return (/<([^<>]*)>/.exec(value ?? '')?.[1] ?? value ?? '').replace(/\s+/g, '') || null
}

function senderOf({ from }: ParsedMail): LetterSender | null {
  const people = (from?.value ?? []).flatMap((one) => one.group ?? [one])
  const person = people.find(({ address }) => (address ?? '').includes('@'))
  if (person?.address === undefined) return null
  return { name: person.name.trim() || null, address: person.address.trim().toLowerCase() }
}

/** Not that of the parser, which takes the present moment for a date that makes no sense. */
function dateOf(value: string | null): number | null {
  const at = Date.parse(value ?? '')
  return Number.isNaN(at) ? null : at
}

function languageOf(value: string | null): string | null {
  const first = value?.split(',')[0]?.trim() ?? ''
  return /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i.test(first) && first.length <= LONGEST_LANGUAGE ? first : null
}

function partOf({ filename, contentType, contentDisposition, cid, content }: Attachment): LetterPart {
  return {
    name: filename ?? null,
    type: (contentType ?? '').toLowerCase(),
    contentId: cid ?? null,
    isInline: contentDisposition === 'inline',
    bytes: content,
  }
}

const FORWARDED = 'message/rfc822'

/** A letter that was forwarded as an attachment is what the reader wants to see: it follows the text, one level deep. */
async function withForwarded(letter: Letter, attachments: readonly Attachment[]): Promise<Letter> {
  const [forwarded] = attachments.filter(({ contentType }) => contentType === FORWARDED)
  if (forwarded === undefined) return letter
  const inner = letterOf(await parseMail(forwarded.content))
  const before = letter.html ?? textAsHtml(letter.text ?? '')
  const body = inner.html ?? textAsHtml(inner.text ?? '')
  const parts = letter.parts.filter(({ bytes }) => bytes !== forwarded.content)
  return { ...letter, html: `${before}\n${forwardedHead(inner)}\n${body}`, parts: [...parts, ...inner.parts] }
}

function forwardedHead({ from, subject }: Letter): string {
  const sender = from === null ? [] : [from.name ?? from.address]
  return `<hr><p><b>${escapeHtml([...sender, subject ?? ''].filter((text) => text !== '').join(': '))}</b></p>`
}
