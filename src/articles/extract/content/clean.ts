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
/** As \b, for all letters. */
const END = '(?!\\p{L})'
const TO_OTHERS =
  "related|read (?:more|also|next)|see also|also (?:read|see|on)|more (?:from|on|stories)|recommended|don'?t miss|watch(?: now| more)?|lesen sie auch|mehr zum thema|auch interessant|das könnte (?:sie|dich)(?: auch)? interessieren|lire aussi|à lire aussi|à voir aussi|sur le même sujet|leia (?:também|mais)|le[ea] también|[lt]e puede interesar|leggi anche|potrebbe interessarti|lees ook|читайте также|смотрите также|по теме"
/** Where words have no spaces between them. */
const TO_OTHERS_UNSPACED = '関連記事|あわせて読みたい|おすすめ記事|相关阅读|相关新闻|延伸阅读|推荐阅读'
const ALONE = String.raw`advert(?:isement|ising)?s?|werbung|anzeige|publicité|publicidad(?:e)?|реклама|(?:image|photo|picture) \d+ of \d+|(?:image|photo|picture) (?:copyright|caption|credit|source)\b.{0,200}|\(?(?:image|photo)s?(?: by|:| credit).{0,120}|share (?:this|on|via)\b.{0,80}|skip to .{0,40}|subscribe(?: now)?|sign up|tags?:?.{0,120}|comments?|leave a comment|.{0,10}view comments.{0,10}|click here .{0,80}|this (?:slideshow|video) requires javascript\.?|loading\.*|source:? .{0,60}|topics?:.{0,100}|.{0,40}\bnewsletter[!:]?`
/** A sentence may begin with the same words. */
const PHRASES = new RegExp(
  `^(?:(?:${TO_OTHERS})${END}(?:\\s*[:：–—|].{0,160}|.{0,160}(?<![.!?]))|[＞>]*(?:${TO_OTHERS_UNSPACED}).{0,160}|${ALONE})$`,
  'iu',
)
const REQUESTS =
  /\b(?:sign up (?:for|to)\b.{0,80}(?:newsletter|email|inbox|alerts)|subscribe to\b.{0,80}(?:newsletter|magazine|channel|podcast)|(?:delivered|right) (?:to|in|into|through) your (?:inbox|letterbox)|get .{0,80}(?:newsletter|breaking news alerts)|follow (?:us|him|her|them|me|\S+(?: \S+)?) on (?:twitter|facebook|instagram|youtube)|like us on facebook|this (?:website|site) uses cookies|have a (?:news )?tip\?|all rights reserved|may not be (?:published|reproduced)|newsletter\b.{0,120}\b(?:anmelden|abonnieren|bestellen)|(?:abonnez|inscrivez|suscríbete|iscriviti).{0,80}newsletter|jetzt (?:kostenlos |hier )?(?:anmelden|abonnieren)|was this (?:page|article|answer) helpful)/i
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
  /^(?:by|von|par|por|di|door|автор|posted|published|publicado|veröffentlicht|publié|updated|last updated|written)(?!\p{L})/iu

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
