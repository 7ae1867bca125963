import type { Person } from '../../model/index.ts'
import { HTML_ENTITIES } from './xml/html-entities.ts'

const EMAIL = /[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/i

const LONGEST_PERSON = 500

/**
 * Reads a person written as one text: `me@example.org (My Name)`, `My Name <me@example.org>`, either alone, or the
 * name with the address somewhere in it.
 */
export function readPerson(text: string): Person | null {
  if (text !== lastText) {
    lastPerson = readWritten(text)
    lastText = text
  }
  return lastPerson
}

// Most feeds have one author, and name it with every item.
let lastText = ''
let lastPerson: Person | null = null

function readWritten(text: string): Person | null {
  const plain = plainName(text.trim().slice(0, LONGEST_PERSON))
  if (plain === null) return null
  const match = plain.includes('@') ? EMAIL.exec(plain) : null
  if (match === null) return { name: plain, email: null, url: null }
  const email = match[0]
  const rest = (plain.slice(0, match.index) + plain.slice(match.index + email.length))
    .replace(/mailto:/gi, '')
    .replace(/<>|\(\)|&lt;&gt;/g, '')
    .trim()
    .replace(/^[(<\s]+|[)>\s]+$/g, '')
  return { name: rest === '' || rest === email ? null : rest, email, url: null }
}

const HIDDEN = /<!--[\s\S]*?-->|<(script|style)[\s>][\s\S]*?<\/\1\s*>/gi
const ATTRIBUTES = /(?:\s(?:[^<>"']|"[^"]*"|'[^']*')*)?\/?/
const tags = (names: string) => new RegExp(`</?(?:${names})${ATTRIBUTES.source}>`, 'gi')
const BREAKS = tags('br|p|div|li|ul|ol|h[1-6]|hr|td|tr|table|img')
const INLINE = tags(
  'a|abbr|address|b|bdi|bdo|big|center|cite|code|del|em|font|i|ins|label|mark|nobr|q|s|small|span|strike|strong|sub|sup|svg|time|tt|u|var|wbr',
)
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,9}));/gi

/** A name without the markup that some put around it; null where nothing is left. `<me@example.org>` is none. */
export function plainName(text: string): string | null {
  const bare = text.includes('<') ? withoutMarkup(text) : text
  const decoded = bare.includes('&') ? bare.replace(REFERENCE, decodeReference) : bare
  return (/\s\s|[^\S ]/.test(decoded) ? decoded.replace(/\s+/g, ' ') : decoded).trim() || null
}

function withoutMarkup(text: string): string {
  // `</a><a>`: two links in a row are two names.
  return text.replace(HIDDEN, '').replaceAll('><', '> <').replace(BREAKS, ' ').replace(INLINE, '')
}

function decodeReference(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return HTML_ENTITIES.get(name) ?? whole
  const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal)
  return code >= 32 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole
}

export function samePerson(a: Person, b: Person): boolean {
  return a.name === b.name && a.email === b.email && a.url === b.url
}
