import { datePart, dateTextOf } from '../dates.ts'
import { firstHeading, isAnchor, isHeading } from '../listing.ts'
import { elementsIn, linesOf, type PageElement, shownText } from '../page.ts'
import { classesOf } from './groups.ts'

type Parts = readonly PageElement[]

/** Something that most items of a group have at the same place. */
export interface Field {
  /** The element in each item, in their order; null: that one has none. */
  readonly elements: readonly (PageElement | null)[]
  /** Share of the items that have it. */
  readonly share: number
}

/** The place of an element within its item: tags and classes on the way to it. */
function placeOf(element: PageElement, parts: Parts): string {
  const steps: string[] = []
  for (let one: PageElement | null = element; one !== null; one = parentWithin(one, parts)) {
    steps.push(`${one.name}.${classesOf(one)[0] ?? ''}`)
  }
  return steps.reverse().slice(1).join('>') || 'self'
}

function parentWithin(element: PageElement, parts: Parts): PageElement | null {
  if (parts.includes(element)) return null
  const { parent } = element
  return parent !== null && 'attribs' in parent ? (parent as PageElement) : null
}

const MOST_ELEMENTS = 400

/** All elements of an item that could be the field, by their place; of one place the first. */
function byPlace(
  items: readonly Parts[],
  fits: (element: PageElement) => boolean,
): Map<string, (PageElement | null)[]> {
  const places = new Map<string, (PageElement | null)[]>()
  for (const [at, parts] of items.entries()) {
    for (const element of allIn(parts).slice(0, MOST_ELEMENTS)) {
      if (!fits(element)) continue
      const place = placeOf(element, parts)
      const row = places.get(place) ?? new Array<PageElement | null>(items.length).fill(null)
      row[at] ??= element
      places.set(place, row)
    }
  }
  return places
}

export function allIn(parts: Parts): PageElement[] {
  return parts.flatMap((part) => [part, ...elementsIn(part)])
}

function asField(elements: readonly (PageElement | null)[]): Field {
  return { elements, share: elements.filter((one) => one !== null).length / elements.length }
}

function best(
  items: readonly Parts[],
  fits: (element: PageElement) => boolean,
  worth: (field: Field) => number,
): Field | null {
  let top: { field: Field; worth: number } | null = null
  for (const row of byPlace(items, fits).values()) {
    const field = asField(row)
    const value = field.share * worth(field)
    if (value > 0 && (top === null || value > top.worth)) top = { field, worth: value }
  }
  return top?.field ?? null
}

const MOST_SAMPLES = 40

export function shownTexts({ elements }: Field): string[] {
  return elements.flatMap((one) => (one === null ? [] : [shownText(one)])).slice(0, MOST_SAMPLES)
}

function distinct(values: readonly string[]): number {
  return values.length === 0 ? 0 : new Set(values).size / values.length
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

const SAYS_TITLE = /title|headline|subject|heading|name/i
/** When, in the words of one moment: nobody's headline. */
const SAYS_WHEN =
  /^\W*(?:\d+|an?|one|vor|il y a|hace)\s+.{0,20}\b(?:ago|hours?|minutes?|days?|stunden?|minuten?|tagen?|heures?|jours?|horas?|d[ií]as?)\b/i
const SAYS_OTHER = /author|user|tag|categor|comment|avatar|more|share|reply|label/i

/** Links that are the headline of their items: long, different, in a heading. */
export function titleField(items: readonly Parts[]): Field | null {
  return best(items, isAnchor, (field) => headlineWorth(field)) ?? null
}

/** Headings, where no link is the headline. */
export function headingField(items: readonly Parts[]): Field | null {
  const atPlace = best(items, isHeading, (field) => headlineWorth(field))
  // The first item is often larger than the others, and so is its heading.
  const anywhere = asField(items.map(firstHeading))
  return anywhere.share > (atPlace?.share ?? 0) ? anywhere : atPlace
}

/** What plays or shows something is not where one reads about it. */
const MEDIA = /\.(?:mp3|m4a|ogg|opus|wav|mp4|m4v|webm|jpe?g|png|gif|webp|avif)(?:[?#]|$)/i

/** Where items lead whose title is no link: the first link of most of them that is none to a file to play; null: there is none. */
export function linkField(items: readonly Parts[]): Field | null {
  const isPlace = (one: PageElement) => isAnchor(one) && !MEDIA.test(one.attribs['href'] ?? '')
  return best(items, isPlace, ({ elements }) => distinct(elements.flatMap((one) => one?.attribs['href'] ?? [])))
}

/** Whether the first link of most items leads to such a file. */
export function leadsToMedia(items: readonly Parts[]): boolean {
  const first = items.flatMap((parts) => allIn(parts).find(isAnchor)?.attribs['href'] ?? [])
  return first.filter((href) => MEDIA.test(href)).length > items.length / 2
}

/** Of links that hold a whole item each: the part of them that is its headline; null: they hold no more than that. */
export function partOfLink(link: Field, items: readonly Parts[]): Field | null {
  const links = new Set(link.elements)
  const holdsMore = (one: PageElement | null) => one !== null && linesOf(one).length > 1
  if (link.elements.filter(holdsMore).length < link.elements.length / 2) return null
  const isPart = (element: PageElement) =>
    shownText(element) !== '' && linesOf(element).length === 1 && !links.has(element) && isWithin(element, links)
  return best(items, isPart, headlineWorth)
}

function isWithin(element: PageElement, outer: ReadonlySet<PageElement | null>): boolean {
  for (let one = element.parent; one !== null; one = one.parent) if (outer.has(one as PageElement)) return true
  return false
}

export function headlineWorth(field: Field): number {
  const texts = shownTexts(field).filter((text) => text !== '')
  const hrefs = field.elements.flatMap((one) => one?.attribs['href'] ?? [])
  if (texts.length === 0) return 0
  const length = Math.min(60, meanOf(texts.map((text) => letters(text))))
  const words = field.elements.find((one) => one !== null)
  const names = words == null ? '' : namesAround(words)
  const bonus = (isInHeading(words ?? null) ? 25 : 0) + (SAYS_TITLE.test(names) ? 15 : 0)
  const whens = texts.filter((text) => SAYS_WHEN.test(text) || datePart(text)?.length === text.length).length
  const malus = (SAYS_OTHER.test(names) ? 25 : 0) + (60 * whens) / texts.length
  const same = hrefs.length > 0 ? distinct(hrefs) : 1
  return Math.max(0.1, length + bonus - malus) * distinct(texts) ** 2 * same
}

/** East Asian signs say as much as two or three Latin letters. */
function letters(text: string): number {
  return text.length + 1.5 * (text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0)
}

function namesAround(element: PageElement): string {
  const { parent } = element
  const above = parent !== null && 'attribs' in parent ? (parent.attribs['class'] ?? '') : ''
  return `${element.attribs['class'] ?? ''} ${element.attribs['rel'] ?? ''} ${above}`
}

export function isInHeading(element: PageElement | null): boolean {
  let steps = 0
  for (let one: PageElement | null = element; one !== null && steps < 4; steps++) {
    if (isHeading(one)) return true
    const { parent }: PageElement = one
    one = parent !== null && 'attribs' in parent ? (parent as PageElement) : null
  }
  return false
}

const LONGEST_AROUND_DATE = 160

/** The smallest elements that say when. */
export function dateField(items: readonly Parts[]): Field | null {
  const says = (element: PageElement) =>
    shownText(element).length <= LONGEST_AROUND_DATE && dateTextOf(element) !== null
  return best(items, says, (field) => {
    const texts = shownTexts(field)
    const isTime = field.elements.find((one) => one !== null)?.name === 'time'
    return (
      (isTime ? 200 : 0) +
      LONGEST_AROUND_DATE +
      1 -
      Math.min(LONGEST_AROUND_DATE, meanOf(texts.map((text) => text.length)))
    )
  })
}

/** The longest text beside the title. */
export function contentField(items: readonly Parts[], title: Field): Field | null {
  const titles = new Set(title.elements)
  const holdsTitle = (element: PageElement) => titles.has(element) || elementsIn(element).some((one) => titles.has(one))
  const fits = (element: PageElement) =>
    /^(?:p|div|td|dd|section|ul|blockquote)$/.test(element.name) &&
    !holdsTitle(element) &&
    shownText(element).length >= 30
  return best(
    items,
    fits,
    (field) => meanOf(shownTexts(field).map((text) => text.length)) * distinct(shownTexts(field)),
  )
}
