import { type PageElement, shownText } from '../page.ts'
import { type Field, headlineWorth, isInHeading, shownTexts } from './fields.ts'

export interface GroupFields {
  readonly items: readonly (readonly PageElement[])[]
  readonly title: Field
  /** Where the title is only a part of the link; null: it is the title. */
  readonly link: Field | null
  readonly date: Field | null
  readonly content: Field | null
  /** Links like the one of the title, for each item. */
  readonly titlesPerItem: number
}

const ASIDE_TAGS: ReadonlySet<string> = new Set(['nav', 'header', 'footer', 'aside', 'form'])
const ASIDE_NAMES =
  /(?:^|[\s_-])(?:nav|menu|footer|header|sidebar|breadcrumbs?|crumbs?|pagination|pager|related|comments?|social|share|tags?|tagcloud|topbar|toolbar|lang|cookie|banner|promo|teaser-box|widget)/i
const MAIN_TAGS: ReadonlySet<string> = new Set(['main'])

/** How likely it is that a group is the list that the page is about; 0 or less: it is not. */
export function scoreGroup({ items, title, date, content, titlesPerItem }: GroupFields): number {
  const count = items.length
  const texts = shownTexts(title)
  const headline = Math.min(60, headlineWorth(title))
  const first = title.elements.find((one) => one !== null) ?? null
  let score = headline * title.share
  score += 8 * Math.log2(Math.min(32, count))
  if (date !== null && date.share >= 0.6) score += 35 * date.share * distinctness(shownTexts(date))
  if (isInHeading(first)) score += 15
  if (content !== null && content.share >= 0.5) score += 12
  score += Math.min(15, textBeside(items, texts) / 10)
  score -= 40 * Math.max(0, titlesPerItem - 1)
  score -= 30 * shareOf(texts, (text) => /^[\d\s«»<>.…-]*$/.test(text) && !/\d\.\d/.test(text))
  score -= 45 * Math.max(0, 0.8 - title.share)
  const anchor = items[0]?.[0]
  if (anchor !== undefined) score += surroundings(anchor)
  return score
}

function distinctness(texts: readonly string[]): number {
  // Several items a day are usual; one date for all is that of the page.
  return new Set(texts).size > 1 || texts.length === 1 ? 1 : 0.3
}

/** Characters that an item says beside its title. */
function textBeside(items: GroupFields['items'], titles: readonly string[]): number {
  const sample = items.slice(0, titles.length)
  const all = sample.reduce((sum, parts) => sum + parts.reduce((length, part) => length + shownText(part).length, 0), 0)
  const own = titles.reduce((sum, text) => sum + text.length, 0)
  return sample.length === 0 ? 0 : Math.max(0, all - own) / sample.length
}

function shareOf(texts: readonly string[], fits: (text: string) => boolean): number {
  return texts.length === 0 ? 0 : texts.filter(fits).length / texts.length
}

function surroundings(element: PageElement): number {
  let score = 0
  for (let one: PageElement | null = element; one !== null; ) {
    if (ASIDE_TAGS.has(one.name) && !(one === element && one.name === 'header')) score -= 30
    if (
      one !== element &&
      ASIDE_NAMES.test(` ${one.attribs['class'] ?? ''} ${one.attribs['id'] ?? ''}`) &&
      one.name !== 'body'
    )
      score -= 25
    if (MAIN_TAGS.has(one.name) || one.attribs['role'] === 'main') score += 15
    const { parent }: PageElement = one
    one = parent !== null && 'attribs' in parent ? (parent as PageElement) : null
  }
  return Math.max(-60, score)
}
