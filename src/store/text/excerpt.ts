import { startsTag } from './markup.ts'

const LESS = 0x3c
const AMPERSAND = 0x26
const SPACE = 0x20
const DOT = 0x2e
const SEMICOLON = 0x3b
const BRACKET = 0x5d
const PARENTHESIS = 0x29
/** What publishers put behind an excerpt, as ` […]`, ` [&#8230;]` or `...`. */
const END_MARK = /[\s[(]*(&(#8230|#x2026|hellip);|…|\.\.\.)[\s\])]*$/i
const CUT_ENTITY = /&#?\w*$/
const LONGEST_MARK = 16
/** Characters that are compared one by one in the time that two slices take. */
const SHORT_RUN = 24
const SILENT = /^<\/?(script|style)/i

/**
 * Whether a summary is nothing but the beginning of the content, as most blog software sends it: the same text, markup
 * and the spaces around it aside, with the last word perhaps cut. Such a summary has nothing to search for that the
 * content has not, and need not be indexed; with content of 2 KB that saves a sixth of the cost of the index. Stops at
 * the first difference, and in doubt says no.
 */
export function isExcerpt(marked: string, content: string): boolean {
  const summary = withoutEndMark(marked)
  let at = 0
  let inContent = 0
  for (;;) {
    at = nextWord(summary, at)
    if (at === -1) return false
    if (at === summary.length) return true
    inContent = nextWord(content, inContent)
    if (inContent === -1 || inContent === content.length) return false
    const run = Math.min(runFrom(summary, at), runFrom(content, inContent))
    if (run > SHORT_RUN && summary.slice(at, at + run) === content.slice(inContent, inContent + run)) {
      at += run
      inContent += run
    }
    // What differs somewhere, or is short: by characters, for which slices and calls would take longer.
    while (at < summary.length) {
      const code = summary.charCodeAt(at)
      if (code === LESS || code !== content.charCodeAt(inContent)) break
      at++
      inContent++
    }
    if (at === summary.length) return !endsInEntity(summary)
    if (summary.charCodeAt(at) !== LESS && content.charCodeAt(inContent) !== LESS) return false
    // A tag ends a word: where only one of the two has one, the other's must end there too.
    if (!separates(summary.charCodeAt(at)) && !separates(summary.charCodeAt(at - 1))) return false
    if (inContent < content.length && !separates(content.charCodeAt(inContent))) {
      if (!separates(content.charCodeAt(inContent - 1))) return false
    }
  }
}

/** Characters up to the next that may begin a tag. */
function runFrom(text: string, from: number): number {
  const less = text.indexOf('<', from)
  return (less === -1 ? text.length : less) - from
}

function endsInEntity(summary: string): boolean {
  const from = Math.max(0, summary.length - LONGEST_MARK)
  return summary.indexOf('&', from) !== -1 && CUT_ENTITY.test(summary.slice(from))
}

function withoutEndMark(summary: string): string {
  if (!mayEndMark(summary)) return summary
  const from = Math.max(0, summary.length - LONGEST_MARK)
  const mark = summary.slice(from).search(END_MARK)
  return mark === -1 ? summary : summary.slice(0, from + mark)
}

/** By the last characters alone: the expression costs as much as the rest of the comparison. */
function mayEndMark(summary: string): boolean {
  const last = summary.charCodeAt(summary.length - 1)
  if (last === DOT) return summary.charCodeAt(summary.length - 2) === DOT
  return last > 0x7f || last <= SPACE || last === SEMICOLON || last === BRACKET || last === PARENTHESIS
}

/** Where the next word begins, markup skipped; the length at the end; −1: markup that is better left alone. */
function nextWord(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === LESS && startsTag(text.charCodeAt(at + 1))) {
      const close = text.indexOf('>', at)
      const next = text.indexOf('<', at + 1)
      if (close === -1 || (next !== -1 && next < close) || SILENT.test(text.slice(at, at + 8))) return -1
      at = close + 1
    } else if (separates(code)) at++
    else return at
  }
  return at
}

/** ASCII but letters, digits and what begins an entity. */
function separates(code: number): boolean {
  if (code >= 0x80 || code === AMPERSAND) return false
  return !((code >= 0x30 && code <= 0x39) || ((code | 32) >= 0x61 && (code | 32) <= 0x7a))
}
