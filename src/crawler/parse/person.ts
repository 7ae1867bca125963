import type { Person } from '../../model/index.ts'

const EMAIL = /[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/i

const LONGEST_PERSON = 500

/**
 * Reads a person written as one text: `me@example.org (My Name)`, `My Name <me@example.org>`, either alone, or the
 * name with the address somewhere in it.
 */
export function readPerson(text: string): Person | null {
  const plain = text.trim().slice(0, LONGEST_PERSON)
  if (plain === '') return null
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

export function samePerson(a: Person, b: Person): boolean {
  return a.name === b.name && a.email === b.email && a.url === b.url
}
