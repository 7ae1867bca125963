import type { DateReader } from '../crawler/parse/date-reader.ts'
import type { InstantMs } from '../model/index.ts'
import type { PageElement } from './page.ts'
import { shownText } from './page.ts'

const MONTH =
  '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|janv|févr|avr|juin|juil|août|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|mrt|mei|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек)\\p{L}*\\.?'
const TIME =
  '(?:,?\\s*(?:at|um|à)?\\s*\\d{1,2}:\\d{2}(?::\\d{2})?(?:\\s*[ap]\\.?m\\.?)?(?:\\s*(?:GMT|UTC|Z|[+-]\\d{2}:?\\d{2}))?)?'

/** Something that is a date, within a text that says more. Each needs a year: what has none is another date each year. */
const SHAPES: readonly RegExp[] = [
  `\\d{4}-\\d{2}-\\d{2}(?:[T ]\\d{2}:\\d{2}(?::\\d{2})?(?:\\.\\d+)?(?:Z|\\s*[+-]\\d{2}:?\\d{2})?)?`,
  `\\d{4}\\s?[年년]\\s?\\d{1,2}\\s?[月월]\\s?\\d{1,2}\\s?[日일]?(?:\\s*\\d{1,2}:\\d{2})?`,
  `\\d{4}[./]\\d{1,2}[./]\\d{1,2}${TIME}`,
  `\\d{1,2}[./-]\\d{1,2}[./-]\\d{4}${TIME}`,
  `\\d{1,2}(?:st|nd|rd|th|\\.|er|º)?\\s+(?:de\\s+|of\\s+)?${MONTH}\\s*(?:de\\s+)?,?\\s*\\d{4}${TIME}`,
  `${MONTH}\\s+\\d{1,2}(?:st|nd|rd|th)?,?\\s+\\d{4}${TIME}`,
  `\\d{1,2}[./-]\\d{1,2}[./-]\\d{2}(?!\\d)${TIME}`,
].map((shape) => new RegExp(`(?<![\\p{L}\\d.-])${shape}`, 'iu'))

const LONGEST_TEXT = 400
const ORDINAL = /(\d)(?:st|nd|rd|th|er|º)\b/i

/** The part of a text that looks like a date; null: none does. */
export function datePart(text: string): string | null {
  if (!/\d/.test(text)) return null
  const start = text.slice(0, LONGEST_TEXT)
  for (const shape of SHAPES) {
    const found = shape.exec(start)
    if (found !== null)
      return found[0]
        .replace(ORDINAL, '$1')
        .replace(/\bof\s+/i, '')
        .trim()
  }
  return null
}

/** Where machines are told the date, before what people read. */
const ATTRIBUTES = ['datetime', 'content', 'data-date', 'data-time', 'title'] as const

export function dateTextOf(element: PageElement): string | null {
  for (const name of ATTRIBUTES) {
    const part = datePart(element.attribs[name] ?? '')
    if (part !== null) return part
  }
  return datePart(shownText(element))
}

/** The date that an element says; null: none. */
export function readDate(element: PageElement, dates: Pick<DateReader, 'read'>): InstantMs | null {
  const text = dateTextOf(element)
  return text === null ? null : dates.read(text)
}
