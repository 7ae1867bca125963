import type { ItemSeq } from '../../model/index.ts'

const PREFIX = 'tag:google.com,2005:reader/item/'

/** The long form, as `stream/contents` gives it. */
export function longId(seq: ItemSeq): string {
  return PREFIX + seq.toString(16).padStart(16, '0')
}

/**
 * All forms that clients send: the long one with hexadecimal digits, padded or not; sixteen of these alone; a decimal number.
 * null: none of them. A number that no item can have is none either.
 */
export function parseItemId(text: string): ItemSeq | null {
  const id = text.trim()
  const hex = id.startsWith(PREFIX) ? id.slice(PREFIX.length) : /^[\da-f]{16}$/i.test(id) ? id : null
  if (hex !== null) return /^[\da-f]{1,16}$/i.test(hex) ? number(Number.parseInt(hex, 16)) : null
  return /^\d{1,19}$/.test(id) ? number(Number(id)) : null
}

/** Beyond what an item can have, the item is not there: 0 is never one. */
function number(value: number): ItemSeq | null {
  return Number.isSafeInteger(value) ? value : 0
}
