import { Parser } from 'htmlparser2'
import {
  DEEPEST_ELEMENT,
  LONGEST_ATTRIBUTE,
  MOST_ATTRIBUTES,
  MOST_JSON_LD_CHARACTERS,
  MOST_NODES,
  MOST_OPEN_TAGS,
} from '../limits.ts'
import { type DomDocument, type DomElement, emptyDocument } from './dom.ts'

export interface BuiltPage {
  readonly document: DomDocument
  /** The texts of `script type=application/ld+json`, in the page's order. */
  readonly jsonLd: readonly string[]
}

/** What belongs into the head wherever it stands before the body. */
const HEAD_ELEMENTS = new Set(['title', 'meta', 'link', 'base'])
/** Nothing to read in them. Pictures drawn in SVG are icons nearly always. */
const LEFT_OUT = new Set(['script', 'style', 'svg', 'template', 'canvas', 'object', 'embed'])
/** AMP's names for what HTML has. */
const SAME_AS: ReadonlyMap<string, string> = new Map([
  ['amp-img', 'img'],
  ['amp-anim', 'img'],
  ['amp-video', 'video'],
  ['amp-audio', 'audio'],
  ['amp-iframe', 'iframe'],
])

/**
 * HTML to a document. The library's own way is left aside: it wants a body right behind the head, keeps scripts and comments,
 * and nests as deep as it is told. Throws TooManyNodes.
 */
export function buildPage(html: string): BuiltPage {
  const builder = new PageBuilder()
  const parser = new Parser(
    {
      onopentag: (name, attributes) => builder.open(name, attributes),
      onclosetag: () => builder.close(),
      ontext: (text) => builder.text(text),
    },
    { lowerCaseTags: true, lowerCaseAttributeNames: true, decodeEntities: true },
  )
  parser.end(html)
  builder.endText()
  return { document: builder.document, jsonLd: builder.jsonLd }
}

export class TooManyNodes extends Error {}

class PageBuilder {
  readonly document = emptyDocument()
  readonly jsonLd: string[] = []
  private readonly root = this.document.documentElement
  private readonly head = this.document.head
  private readonly body = this.document.body
  /** For each open tag the element that its content goes into. */
  private readonly stack: DomElement[] = []
  private current = this.root
  private pendingText = ''
  private nodes = 0
  /** Depth of the tag whose content is left out; null: none. */
  private leftOutFrom: number | null = null
  private isJsonLd = false
  private jsonLdCharacters = 0

  open(tag: string, attributes: Readonly<Record<string, string>>): void {
    this.endText()
    this.stack.push(this.current)
    // The parser takes time by their square.
    if (this.stack.length > MOST_OPEN_TAGS) throw new TooManyNodes()
    if (this.leftOutFrom !== null) return
    if (LEFT_OUT.has(tag)) this.leaveOut(tag, attributes)
    else if (tag === 'html' || tag === 'head' || tag === 'body') this.enterPart(tag, attributes)
    else this.enterElement(tag, attributes)
  }

  private enterElement(tag: string, attributes: Readonly<Record<string, string>>): void {
    this.count()
    const element = this.document.createElement(SAME_AS.get(tag) ?? tag)
    setAttributes(element, attributes)
    this.placeOf(HEAD_ELEMENTS.has(tag)).appendChild(element)
    if (this.stack.length < DEEPEST_ELEMENT) this.current = element
  }

  close(): void {
    this.endText()
    const parent = this.stack.pop()
    if (this.leftOutFrom !== null) {
      if (this.stack.length >= this.leftOutFrom) return
      this.leftOutFrom = null
      this.isJsonLd = false
    }
    if (parent !== undefined) this.current = parent
  }

  /** A text comes in pieces, one for each entity. */
  text(piece: string): void {
    if (this.leftOutFrom === null) this.pendingText += piece
    else if (this.isJsonLd) this.addJsonLd(piece)
  }

  /** Writes down the text before a tag. */
  endText(): void {
    const text = this.pendingText
    if (text === '') return
    this.pendingText = ''
    const isOutside = this.current === this.root || this.current === this.head
    if (isOutside && text.trim() === '') return
    this.count()
    this.placeOf(false).appendChild(this.document.createTextNode(text))
  }

  private leaveOut(tag: string, attributes: Readonly<Record<string, string>>): void {
    this.leftOutFrom = this.stack.length
    this.isJsonLd = tag === 'script' && /^\s*application\/ld\+json/i.test(attributes['type'] ?? '')
    if (this.isJsonLd) this.jsonLd.push('')
  }

  private addJsonLd(text: string): void {
    this.jsonLdCharacters += text.length
    if (this.jsonLdCharacters > MOST_JSON_LD_CHARACTERS) return
    this.jsonLd.push((this.jsonLd.pop() ?? '') + text)
  }

  /** These three are there already, once. */
  private enterPart(tag: 'html' | 'head' | 'body', attributes: Readonly<Record<string, string>>): void {
    const part = { html: this.root, head: this.head, body: this.body }[tag]
    setAttributes(part, attributes)
    // A head or body within the body is a mistake: what is in it belongs where it stands.
    if (this.current === this.root || this.current === this.head) this.current = part
  }

  /** Outside of head and body a text or element goes into the one that it belongs to. */
  private placeOf(isHeadElement: boolean): DomElement {
    if (this.current === this.root) return isHeadElement ? this.head : this.body
    if (this.current === this.head && !isHeadElement) return this.body
    return this.current
  }

  private count(): void {
    this.nodes += 1
    if (this.nodes > MOST_NODES) throw new TooManyNodes()
  }
}

function setAttributes(element: DomElement, attributes: Readonly<Record<string, string>>): void {
  let count = 0
  for (const name in attributes) {
    const value = attributes[name]
    if (value === undefined || value.length > LONGEST_ATTRIBUTE || ++count > MOST_ATTRIBUTES) continue
    element.setAttribute(name, value)
  }
}
