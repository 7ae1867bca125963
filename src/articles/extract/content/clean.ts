import { dateWithin } from '../metadata/date.ts'
import { fold } from '../metadata/title.ts'
import { type DomElement, lineOf } from '../page/dom.ts'

/*
 * Takes lines out of what was found that are not of the article: what is declared elsewhere (title, author, date), links to other
 * articles, and what publishers put between paragraphs.
 */

export interface KnownFacts {
  readonly title: string | null
  readonly author: string | null
}

const BLOCKS = 'p, li, h1, h2, h3, h4, h5, h6, div, section, header, td, dd, dt, blockquote'
/** A paragraph of this length begins the article. */
const FIRST_PARAGRAPH = 140

export function cleanContent(content: DomElement, facts: KnownFacts): void {
  for (const element of content.querySelectorAll('button, input, select, textarea, form')) element.remove()
  const lines = content.querySelectorAll(BLOCKS).filter((block) => block.querySelector(BLOCKS) === null)
  let isHead = true
  for (const line of lines) {
    const text = lineOf(line)
    if (text.length >= FIRST_PARAGRAPH) isHead = false
    if (isBeside(line, text) || (isHead && isDeclaredElsewhere(text, facts))) line.remove()
  }
  removeLastHeadings(content)
}

/** Said in so few words that nothing else is meant; in the languages of most feeds. */
const PHRASES =
  /^(?:(?:related|read (?:more|also|next)|see also|also (?:read|see|on)|more (?:from|on|stories)|recommended|don'?t miss|watch(?: now| more)?|lesen sie auch|mehr zum thema|lire aussi|à lire aussi|leia (?:também|mais)|lea también|leggi anche|lees ook|читайте также|по теме)\b.{0,160}|advert(?:isement|ising)?s?|werbung|anzeige|publicité|publicidad(?:e)?|реклама|(?:image|photo|picture) \d+ of \d+|(?:image|photo|picture) (?:copyright|caption|credit|source)\b.{0,200}|\(?(?:image|photo)s?(?: by|:| credit).{0,120}|share (?:this|on|via)\b.{0,80}|skip to .{0,40}|subscribe(?: now)?|sign up|tags?:?.{0,120}|comments?|leave a comment|.{0,10}view comments.{0,10}|click here .{0,80}|this (?:slideshow|video) requires javascript\.?|loading\.*|source:? .{0,60}|topics?:.{0,100})$/i
const REQUESTS =
  /\b(?:sign up (?:for|to)\b.{0,80}(?:newsletter|email|inbox|alerts)|subscribe to\b.{0,80}(?:newsletter|magazine|channel|podcast)|(?:delivered|right) (?:to|in|into|through) your (?:inbox|letterbox)|get .{0,80}(?:newsletter|breaking news alerts)|follow (?:us|him|her|them|me|\S+(?: \S+)?) on (?:twitter|facebook|instagram|youtube)|like us on facebook|this (?:website|site) uses cookies|have a (?:news )?tip\?|all rights reserved|may not be (?:published|reproduced))/i
const LONGEST_REQUEST = 260
const LONGEST_LINK = 200

function isBeside(line: DomElement, text: string): boolean {
  if (text === '') return false
  if (PHRASES.test(text) || (text.length < LONGEST_REQUEST && REQUESTS.test(text))) return true
  return text.length < LONGEST_LINK && line.localName !== 'td' && isLinkAlone(line, text)
}

/** Nothing but a link to something else. In a list only where the others are so, too. */
function isLinkAlone(line: DomElement, text: string): boolean {
  if (line.localName === 'li') {
    for (let other = line.parentNode?.firstElementChild ?? null; other !== null; other = other.nextElementSibling) {
      if (linkedLength(other) < lineOf(other).length) return false
    }
    return true
  }
  return text.length > 0 && linkedLength(line) >= text.length
}

function linkedLength(line: DomElement): number {
  return line.querySelectorAll('a').reduce((sum, link) => sum + lineOf(link).length, 0)
}

const LONGEST_DATE_LINE = 120
const BYLINE =
  /^(?:by|von|par|por|di|door|автор|posted|published|publicado|veröffentlicht|publié|updated|last updated|written)\b/i

/** Title, author and date again, above the first paragraph. */
function isDeclaredElsewhere(text: string, { title, author }: KnownFacts): boolean {
  const folded = fold(text)
  if (folded === '') return false
  if (title !== null && folded === fold(title)) return true
  if (author !== null && folded === fold(author)) return true
  if (text.length > LONGEST_DATE_LINE) return false
  return BYLINE.test(text)
    ? author === null || folded.includes(fold(author)) || dateWithin(text) !== null
    : isMostlyDate(text)
}

function isMostlyDate(text: string): boolean {
  return text.length < 60 && /\d/.test(text) && dateWithin(text) !== null
}

/** A heading with nothing below it announced what was removed. */
function removeLastHeadings(content: DomElement): void {
  const lines = content
    .querySelectorAll(BLOCKS)
    .filter((block) => block.querySelector(BLOCKS) === null && lineOf(block) !== '')
  for (let last = lines.pop(); last !== undefined && /^h[1-6]$/.test(last.localName); last = lines.pop()) last.remove()
}
