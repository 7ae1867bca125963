import { Parser } from 'htmlparser2'
import { escapeHtml } from './html-text.ts'

type Attributes = Readonly<Record<string, string>>

/** A stretch of the text, and what takes its place. */
interface Cut {
  readonly from: number
  readonly to: number
  readonly text: string
}

/**
 * The HTML of a letter without what only its sender wants: images that nobody can see, which report that the letter was
 * opened, and text that is hidden from readers. Images that came with the letter are written into it. All else stays as
 * it is, byte for byte; it is made safe when it is shown, as all HTML is.
 */
export function cleanLetterHtml(html: string, imageFor: (contentId: string) => string | null): string {
  const cuts: Cut[] = []
  let depth = 0
  let hidden: { readonly from: number; readonly depth: number } | null = null
  const parser = new Parser({
    onopentag(name, attributes) {
      depth++
      if (hidden !== null) return
      if (isHidden(attributes)) hidden = { from: parser.startIndex, depth }
      else if (name === 'img') cuts.push(...cutImage(attributes, parser, imageFor))
    },
    onclosetag(_name, isImplied) {
      if (hidden !== null && hidden.depth === depth) {
        // What closes it unsaid is not its own, unless it is the tag that opened it, as of an image.
        const isOwnTag = !isImplied || parser.startIndex === hidden.from
        cuts.push({ from: hidden.from, to: isOwnTag ? parser.endIndex + 1 : parser.startIndex, text: '' })
        hidden = null
      }
      depth--
    },
  })
  parser.end(html)
  return withCuts(html, cuts)
}

function cutImage(attributes: Attributes, at: Parser, imageFor: (contentId: string) => string | null): readonly Cut[] {
  const place = { from: at.startIndex, to: at.endIndex + 1 }
  if (isPixel(attributes)) return [{ ...place, text: '' }]
  const contentId = /^\s*cid:(.*)$/is.exec(attributes['src'] ?? '')?.[1]?.trim()
  if (contentId === undefined) return []
  const image = imageFor(decoded(contentId))
  return [{ ...place, text: image === null ? '' : tagOf({ ...attributes, src: image }) }]
}

function tagOf(attributes: Attributes): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
  return `<img${written.join('')}>`
}

/** Tracking pixels are as small as that, or hidden, or both. */
function isPixel(attributes: Attributes): boolean {
  const sizes = [sizeOf(attributes, 'width'), sizeOf(attributes, 'height')].filter((size) => size !== null)
  return sizes.length > 0 && sizes.every((size) => size <= 1)
}

function sizeOf(attributes: Attributes, side: 'width' | 'height'): number | null {
  const style = new RegExp(`(?:^|[;\\s])${side}\\s*:\\s*(\\d{1,5}(?:\\.\\d+)?)(?:px)?\\s*(?:!|;|$)`, 'i')
  const text =
    style.exec(attributes['style'] ?? '')?.[1] ??
    /^\s*(\d{1,5}(?:\.\d+)?)(?:px)?\s*$/i.exec(attributes[side] ?? '')?.[1]
  return text === undefined ? null : Number(text)
}

const HIDING = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all)\s*(?:!|;|$)/i

/** Without height, and what is higher than that not shown. */
const NO_HEIGHT = /(?:^|[;\s])max-height\s*:\s*0(?:\.0+)?(?:px)?\s*(?:!|;|$)/i
const CUT_OFF = /(?:^|[;\s])overflow\s*:\s*hidden\s*(?:!|;|$)/i

function isHidden({ hidden, style = '' }: Attributes): boolean {
  return hidden !== undefined || HIDING.test(style) || (NO_HEIGHT.test(style) && CUT_OFF.test(style))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** They are in order, and none is within another. */
function withCuts(html: string, cuts: readonly Cut[]): string {
  const pieces: string[] = []
  let end = 0
  for (const { from, to, text } of cuts) {
    if (from < end) continue
    pieces.push(html.slice(end, from), text)
    end = to
  }
  pieces.push(html.slice(end))
  return pieces.join('')
}
