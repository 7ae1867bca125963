import { createHash } from 'node:crypto'
import { BLANK_ITEM, type ParsedItem, type Person } from '../model/index.ts'
import { escapeHtml, linkTo, textAsHtml } from './html-text.ts'
import type { Letter, LetterPart } from './letter.ts'
import { cleanLetterHtml } from './letter-html.ts'

/** Published items are cut at 400,000 characters: pictures get what the text of a letter leaves of that. */
const ROOM_FOR_BODY_CHARS = 360_000
const LONGEST_MESSAGE_ID = 400
const LONGEST_TITLE = 1_000
const MOST_NAMES = 30
const LONGEST_NAME = 100
/** Pictures that can be shown wherever HTML is; the sanitiser lets the same pass. */
const PICTURES = new Set(['image/png', 'image/gif', 'image/jpeg', 'image/webp', 'image/avif'])

/** A letter as an item of its source: what a person who reads it in a mail program would see. */
export function letterItem(letter: Letter): ParsedItem {
  const { subject, list } = letter
  const title = (subject ?? '').replace(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE)
  return {
    ...BLANK_ITEM,
    id: identityOf(letter),
    title: title === '' ? null : title,
    link: list.archivedAt,
    published: letter.date,
    authors: authorsOf(letter),
    content: contentOf(letter) || null,
    language: letter.language,
    extensions: extensionsOf(letter),
  }
}

/** RFC 2392. A letter without a name of its own is known by what it says, so that a second copy is still the same one. */
function identityOf({ messageId, from, date, subject, html, text }: Letter): string {
  if (messageId !== null && messageId.length <= LONGEST_MESSAGE_ID) return `mid:${encodeURIComponent(messageId)}`
  const parts = [messageId, from?.address, date === null ? null : String(date), subject, html, text]
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return `urn:headwater:letter:${hash.slice(0, 40)}`
}

function authorsOf({ from }: Letter): readonly Person[] {
  return from === null ? [] : [{ name: from.name, email: from.address, url: null }]
}

function extensionsOf({ list }: Letter): Readonly<Record<string, string>> | null {
  const values = {
    ...(list.id === null ? {} : { 'list:id': list.id }),
    ...(list.unsubscribeUrl === null ? {} : { 'list:unsubscribe': list.unsubscribeUrl }),
  }
  return Object.keys(values).length === 0 ? null : values
}

function contentOf(letter: Letter): string {
  const shown = new Set<LetterPart>()
  const body = withPictures(bodyOf(letter, shown), letter, shown)
  // A picture without a name was for the text alone, which had no use for it.
  const isNamed = ({ name, contentId }: LetterPart) => name !== null || contentId === null
  const unseen = letter.parts.filter((part) => !shown.has(part) && isNamed(part))
  const notes = [...attachmentNote(unseen), ...unsubscribeNote(letter)]
  return notes.length === 0 ? body : `${body}\n<hr>\n${notes.join('\n')}`
}

/** HTML where there is any; text is what programs without HTML were to show. */
function bodyOf({ html, text, parts }: Letter, shown: Set<LetterPart>): string {
  if (html !== null && html.trim() !== '') {
    const body = cleanLetterHtml(html, picturesOf(parts, ROOM_FOR_BODY_CHARS - html.length, shown)).trim()
    if (body !== '') return body
  }
  return textAsHtml(text ?? '')
}

/** Some programs write pictures between parts of text, and name them nowhere: they follow it. */
function withPictures(body: string, { html, parts }: Letter, shown: Set<LetterPart>): string {
  const addressOf = dataAddresses(ROOM_FOR_BODY_CHARS - body.length, shown)
  const isNamed = ({ contentId }: LetterPart) => contentId !== null && html?.includes(contentId) === true
  const unseen = parts.filter((part) => part.isInline && !isNamed(part) && !shown.has(part))
  const pictures = unseen.map(addressOf).filter((address) => address !== null)
  return [body, ...pictures.map((address) => `<p><img src="${address}"></p>`)].join('\n')
}

function picturesOf(
  parts: readonly LetterPart[],
  roomChars: number,
  shown: Set<LetterPart>,
): (contentId: string) => string | null {
  const byId = new Map(parts.flatMap((part) => (part.contentId === null ? [] : [[part.contentId, part] as const])))
  const addressOf = dataAddresses(roomChars, shown)
  return (contentId) => {
    const part = byId.get(contentId)
    return part === undefined ? null : addressOf(part)
  }
}

/** Of pictures, as long as there is room. */
function dataAddresses(roomChars: number, shown: Set<LetterPart>): (part: LetterPart) => string | null {
  let room = roomChars
  return (part) => {
    const needed = Math.ceil(part.bytes.length / 3) * 4 + 40
    if (!PICTURES.has(part.type) || needed > room) return null
    room -= needed
    shown.add(part)
    return `data:${part.type};base64,${Buffer.from(part.bytes).toString('base64')}`
  }
}

function attachmentNote(parts: readonly LetterPart[]): readonly string[] {
  if (parts.length === 0) return []
  const names = parts.slice(0, MOST_NAMES).map(describePart)
  const more = parts.length > MOST_NAMES ? [`${parts.length - MOST_NAMES} more`] : []
  return [`<p>Attached, not stored: ${[...names, ...more].join('; ')}</p>`]
}

function describePart({ name, type, bytes }: LetterPart): string {
  const shownName = (name ?? '').replace(/\s+/g, ' ').trim().slice(0, LONGEST_NAME)
  return escapeHtml(`${shownName || 'without a name'} (${type}, ${describeBytes(bytes.length)})`)
}

function describeBytes(bytes: number): string {
  return bytes < 1_000 ? `${bytes} bytes` : `${Math.round(bytes / 1_000)} kB`
}

function unsubscribeNote({ list: { unsubscribeUrl } }: Letter): readonly string[] {
  return unsubscribeUrl === null ? [] : [`<p>${linkTo(unsubscribeUrl, 'Unsubscribe')}</p>`]
}
