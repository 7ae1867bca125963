import type { ListSelectors, ParsedItem } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { isAnchor, partsOfAll, readListedItems } from '../listing.ts'
import { elementsIn, type Page, type PageElement, shownText } from '../page.ts'
import { Selection } from '../select.ts'
import {
  allIn,
  contentField,
  dateField,
  type Field,
  headingField,
  headlineWorth,
  leadsToMedia,
  linkField,
  partOfLink,
  titleField,
} from './fields.ts'
import { findGroups, type Group } from './groups.ts'
import { type GroupFields, scoreGroup } from './score.ts'
import { fieldSelector, selectorFor } from './selectors.ts'

export interface Suggestion {
  readonly selectors: Required<ListSelectors>
  /** As the page shows them now. */
  readonly items: readonly ParsedItem[]
}

const MOST_SUGGESTIONS = 5
/** Groups whose selectors are worked out, likeliest first. */
const MOST_TRIALS = 15
const LEAST_SCORE = 20
/** Items that a group is judged by. */
const MOST_JUDGED = 30
/** Of selectors, in all trials together. */
const MOST_STEPS = 20_000_000

interface Candidate {
  readonly group: Group
  readonly fields: GroupFields
  readonly score: number
}

/** Lists that a page may be about, likeliest first, from structures that repeat. */
export function suggestSelectors(page: Page): Suggestion[] {
  const candidates = findGroups(page)
    .flatMap((group) => judge(group) ?? [])
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_TRIALS)
  const selection = new Selection(MOST_STEPS)
  const found: Suggestion[] = []
  const seen = new Set<string>()
  for (const candidate of candidates) {
    const suggestion = tried(() => suggestionOf(candidate, page, selection))
    const face = suggestion?.items.map(({ title, link }) => `${title} ${link}`).join('\n') ?? ''
    if (suggestion === null || seen.has(face)) continue
    seen.add(face)
    found.push(suggestion)
    if (found.length === MOST_SUGGESTIONS) break
  }
  return found
}

/** null: a page so large that no more selectors can be tried on it. */
function tried(suggest: () => Suggestion | null): Suggestion | null {
  try {
    return suggest()
  } catch (error) {
    if (error instanceof HeadwaterError) return null
    throw error
  }
}

function judge(group: Group): Candidate | null {
  const items = partsOfAll(group.members).slice(0, MOST_JUDGED)
  const whole = headline(items)
  if (whole === null || whole.share < 0.5) return null
  const part = partOfLink(whole, items)
  const title = part ?? whole
  const date = dateField(items)
  const content = contentField(items, title)
  const fields = {
    items,
    title,
    link: part === null ? linkBeside(title, items) : whole,
    date,
    content,
    titlesPerItem: titlesPerItem(title, items),
  }
  const score = scoreGroup(fields)
  return score < LEAST_SCORE ? null : { group, fields, score }
}

/** null: the title leads there itself, or the first link of the item does. */
function linkBeside(title: Field, items: readonly (readonly PageElement[])[]): Field | null {
  const hasOwn = title.elements.some((one) => one !== null && [one, ...elementsIn(one)].some(isAnchor))
  return hasOwn || !leadsToMedia(items) ? null : linkField(items)
}

/** The link of the headline; a heading where links say less than it. */
function headline(items: readonly (readonly PageElement[])[]): Field | null {
  const link = titleField(items)
  const heading = headingField(items)
  if (heading === null || link === null) return link ?? heading
  if (heading.share > link.share && share(heading, link) > 0.5) return heading
  const holdsLink = share(heading, link) > 0
  return holdsLink || headlineWorth(link) * link.share >= headlineWorth(heading) * heading.share ? link : heading
}

/** Of the links, those that lie in a heading. */
function share(heading: Field, link: Field): number {
  const links = link.elements.filter((one) => one !== null)
  const within = links.filter((inner) => heading.elements.some((one) => one !== null && isWithin(inner, one)))
  return within.length / links.length
}

function isWithin(inner: PageElement | null, outer: PageElement): boolean {
  for (let one = inner?.parent ?? null; one !== null; one = one.parent) if (one === outer) return true
  return false
}

/** A link beside the title that says less than this share of it (its site, its section) is no title. */
const LEAST_OF_TITLE = 0.5

/** How many elements like the title an item has: one that has many is a section of the list. */
function titlesPerItem({ elements }: Field, items: readonly (readonly PageElement[])[]): number {
  const first = elements.find((one) => one !== null)
  if (first == null) return 0
  const face = (one: PageElement) =>
    `${one.parent !== null && 'attribs' in one.parent ? one.parent.name : ''}>${one.name}.${one.attribs['class'] ?? ''}`
  const counts = items.map((parts, at) => {
    const title = elements[at] ?? null
    const least = title === null ? 0 : LEAST_OF_TITLE * shownText(title).length
    return allIn(parts).filter((one) => face(one) === face(first) && shownText(one).length >= least).length
  })
  return counts.reduce((sum, count) => sum + count, 0) / counts.length
}

function suggestionOf({ group, fields }: Candidate, page: Page, selection: Selection): Suggestion | null {
  const list = selectorFor(group, page, selection)
  if (list === null) return null
  const { items, title, link, date, content } = fields
  const titleAt = fieldSelector(title, items, selection)
  const linkAt = link === null ? titleAt : fieldSelector(link, items, selection)
  const selectors = {
    list,
    title: titleAt,
    link: (link ?? title).elements.some((one) => one?.name === 'a') ? linkAt : null,
    date: date !== null && date.share >= 0.6 ? fieldSelector(date, items, selection) : null,
    content: content !== null && content.share >= 0.5 ? fieldSelector(content, items, selection) : null,
  }
  const read = readListedItems(page, selectors)
  return read.length === 0 ? null : { selectors, items: read }
}
