import { partsHash } from '../crawler/dedup/hash.ts'
import { BLANK_ITEM, type ParsedItem } from '../model/index.ts'
import { type ChangedLine, compareLines } from './difference.ts'
import { escapeSigns, unescapeSigns } from './escape-html.ts'
import { linesOf, type Page } from './page.ts'
import { Selection } from './select.ts'

const ID = 'element:'
const LONGEST_TITLE = 150
const MOST_LINES = 2_000
/** Between what has changed and the whole as it is now. */
const DIVIDER = '<hr>'

/**
 * The element as an item: the one that was stored last where it says the same, else a new one that says what has changed.
 * Its identity is that of its text and of all before it, so that a text which comes back is news again, and one that is read
 * twice is not. null: the page has no such element, or it is empty. Throws SELECTOR_INVALID, SELECTOR_TOO_COSTLY.
 */
export function readElement(page: Page, selector: string, url: string, last: ParsedItem | null): ParsedItem | null {
  const [element] = new Selection().all(selector, page.root)
  const lines = element === undefined ? [] : linesOf(element).slice(0, MOST_LINES)
  if (lines.length === 0) return null
  const before = last?.id?.startsWith(ID) ? last : null
  if (before === null) return itemOf(lines, null, url, page.title ?? lines[0] ?? null, [])
  const former = linesIn(before.content ?? '')
  const difference = compareLines(former, lines)
  if (difference.every(({ kind }) => kind === 'same')) return before
  return itemOf(lines, before.id, url, titleOf(difference), difference)
}

function itemOf(
  lines: readonly string[],
  after: string | null,
  link: string,
  title: string | null,
  difference: readonly ChangedLine[],
): ParsedItem {
  const id = `${ID}${partsHash([after, ...lines])}`
  return { ...BLANK_ITEM, id, title, link, content: `${changesHtml(difference)}${lines.map(paragraph).join('')}` }
}

/** What is new says most; else what is gone. */
function titleOf(difference: readonly ChangedLine[]): string {
  const added = difference.find(({ kind }) => kind === 'added')
  const text = added?.text ?? `− ${difference.find(({ kind }) => kind === 'removed')?.text ?? ''}`
  return text.length > LONGEST_TITLE ? `${text.slice(0, LONGEST_TITLE - 1)}…` : text
}

function changesHtml(difference: readonly ChangedLine[]): string {
  const changes = difference.filter(({ kind }) => kind !== 'same')
  if (changes.length === 0) return ''
  const rows = changes.map(({ kind, text }) =>
    kind === 'added' ? `<li><ins>+ ${escapeSigns(text)}</ins></li>` : `<li><del>− ${escapeSigns(text)}</del></li>`,
  )
  return `<ul>${rows.join('')}</ul>${DIVIDER}`
}

function paragraph(line: string): string {
  return `<p>${escapeSigns(line)}</p>`
}

/** The lines of an element that were written by `itemOf`. */
function linesIn(content: string): string[] {
  const whole = content.slice(content.lastIndexOf(DIVIDER) < 0 ? 0 : content.lastIndexOf(DIVIDER) + DIVIDER.length)
  return [...whole.matchAll(/<p>(.*?)<\/p>/gs)].map(([, text = '']) => unescapeSigns(text))
}
