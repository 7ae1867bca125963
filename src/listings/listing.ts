import { DomUtils } from 'htmlparser2'
import { DateReader } from '../crawler/parse/date-reader.ts'
import { resolveHtmlLinks } from '../crawler/parse/html-links.ts'
import { ProblemList } from '../crawler/parse/problems.ts'
import { BLANK_ITEM, type ListSelectors, type ParsedItem } from '../model/index.ts'
import { detach } from '../text/strings.ts'
import { readDate } from './dates.ts'
import { escapeSigns } from './escape-html.ts'
import { addressOf, elementsIn, type Page, type PageElement, shownText } from './page.ts'
import { Selection } from './select.ts'

/** As of feeds; a page with more is cut. */
const MOST_ITEMS = 2_000
const LONGEST_TITLE = 1_000
const LONGEST_CONTENT = 200_000

/** The items of a page, in its order. Throws SELECTOR_INVALID, SELECTOR_TOO_COSTLY. */
export function readListedItems(page: Page, selectors: ListSelectors, problems = new ProblemList()): ParsedItem[] {
  const selection = new Selection()
  const elements = selection.all(selectors.list, page.root)
  if (elements.length > MOST_ITEMS) problems.add('too-many-items')
  const parts = partsOfAll(elements.slice(0, MOST_ITEMS))
  const read = (dates: DateReader) => parts.flatMap((among) => readItem(page, among, selectors, selection, dates) ?? [])
  const dates = new DateReader(problems)
  const items = read(dates)
  const order = dates.judgeOrder()
  return order === null ? items : read(new DateReader(problems, order))
}

/** What is only the head of an item: the rest of it follows beside. */
const HEADS: ReadonlySet<string> = new Set(['dt', 'tr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

/** The elements that make up each item: itself, and of a head what follows up to the next. */
export function partsOfAll(elements: readonly PageElement[]): (readonly [PageElement, ...PageElement[]])[] {
  const own = new Set(elements)
  return elements.map((element) => [element, ...(HEADS.has(element.name) ? following(element, own) : [])])
}

function following(element: PageElement, stops: ReadonlySet<PageElement>): PageElement[] {
  const found: PageElement[] = []
  for (let next = DomUtils.nextElementSibling(element); next !== null; next = DomUtils.nextElementSibling(next)) {
    if (stops.has(next) || isHigher(next, element)) break
    found.push(next)
  }
  return found
}

/** A heading of the next chapter. */
function isHigher(next: PageElement, head: PageElement): boolean {
  return /^h[1-6]$/.test(head.name) && /^h[1-6]$/.test(next.name) && next.name < head.name
}

/** null: it says nothing, as the head of a table. */
function readItem(
  page: Page,
  among: readonly [PageElement, ...PageElement[]],
  selectors: ListSelectors,
  selection: Selection,
  dates: DateReader,
): ParsedItem | null {
  const find = (selector: string | null | undefined) => (selector ? selection.first(selector, among) : undefined)
  const linkAt = find(selectors.link)
  const titleAt = find(selectors.title)
  const headAt = titleAt === undefined ? firstHeading(among) : titleAt
  const anchor = anchorOf(linkAt === undefined ? headAt : linkAt, linkAt === undefined ? among : [])
  const link = addressOf(anchor?.attribs['href'], page.base)
  const title = titleOf(titleAt === undefined ? headlineOf(among, anchor) : titleAt)
  if (title === null && link === null) return null
  const dateAt = selectors.date ? find(selectors.date) : among.flatMap((one) => timesIn(one))[0]
  const contentAt = find(selectors.content)
  return {
    ...BLANK_ITEM,
    title,
    link,
    published: dateAt == null ? null : readDate(dateAt, dates),
    content: contentAt == null ? null : contentOf(contentAt, page.base),
  }
}

/** The link that an element is, holds or lies in; else the first of the item. */
function anchorOf(element: PageElement | null, among: readonly PageElement[]): PageElement | null {
  if (element !== null) {
    const own = isAnchor(element) ? element : (anchorsIn(element)[0] ?? anchorAround(element))
    if (own !== null) return own
  }
  const [first] = among
  if (first === undefined) return null
  if (isAnchor(first)) return first
  const anchors = among.flatMap((one) => anchorsIn(one))
  return anchors.find((one) => shownText(one) !== '') ?? anchors[0] ?? anchorAround(first)
}

export function isAnchor({ name, attribs }: PageElement): boolean {
  return name === 'a' && (attribs['href'] ?? '').trim() !== ''
}

function anchorsIn(element: PageElement): PageElement[] {
  return elementsIn(element).filter(isAnchor)
}

function anchorAround(element: PageElement): PageElement | null {
  for (let { parent } = element; parent !== null && isPageElement(parent); { parent } = parent) {
    if (isAnchor(parent)) return parent
  }
  return null
}

function isPageElement(node: NonNullable<PageElement['parent']>): node is PageElement {
  return 'attribs' in node
}

function timesIn(element: PageElement): PageElement[] {
  return [element, ...elementsIn(element)].filter(({ name }) => name === 'time')
}

export function isHeading({ name }: PageElement): boolean {
  return /^h[1-6]$/.test(name)
}

/** With words in it. */
export function firstHeading(among: readonly PageElement[]): PageElement | null {
  for (const one of among) {
    const heading = isHeading(one) ? one : elementsIn(one).find(isHeading)
    if (heading !== undefined && shownText(heading) !== '') return heading
  }
  return null
}

function headlineOf(among: readonly [PageElement, ...PageElement[]], anchor: PageElement | null): PageElement {
  return firstHeading(among) ?? (anchor !== null && shownText(anchor) !== '' ? anchor : among[0])
}

function titleOf(element: PageElement | null): string | null {
  if (element === null) return null
  const text = shownText(element) || pictureText(element)
  return text === '' ? null : detach(text.slice(0, LONGEST_TITLE))
}

function pictureText(element: PageElement): string {
  const pictures = elementsIn(element).filter(({ name }) => name === 'img')
  return (
    pictures
      .map(({ attribs }) => attribs['alt'] ?? '')
      .find((text) => text.trim() !== '')
      ?.trim() ?? ''
  )
}

function contentOf(element: PageElement, base: string): string | null {
  const html = DomUtils.getInnerHTML(element).trim()
  if (html === '') return null
  return html.length <= LONGEST_CONTENT
    ? detach(resolveHtmlLinks(html, base))
    : escapeSigns(shownText(element).slice(0, LONGEST_CONTENT))
}
