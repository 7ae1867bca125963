import { DomHandler, Parser } from 'htmlparser2'
import { parseUrl } from '../runtime/parse-url.ts'
import { detach } from '../text/strings.ts'

type Root = DomHandler['root']
export type PageNode = Root['children'][number]
export type PageElement = Extract<PageNode, { readonly attribs: unknown }>

/** What a page may cost at most; the rest of it is not read. */
const PAGE_LIMITS = {
  /** Lists begin at the top; what is further down is old. */
  maxChars: 1_500_000,
  maxNodes: 150_000,
  /** Elements that are nested deeper lie flat beside each other: walks over the tree may recurse. */
  maxDepth: 250,
  /** Nobody nests like this but attackers, and every open element makes the next one dearer. */
  maxOpen: 5_000,
}

class TooDeep extends Error {}

/** A page as a tree. Nothing of it is executed or fetched. */
export interface Page {
  readonly root: Root
  /** What its addresses are relative to. */
  readonly base: string
  readonly title: string | null
  readonly language: string | null
  /** The page of older items, by `rel=next`. */
  readonly nextUrl: string | null
  /** The rest was beyond a limit. */
  readonly isCut: boolean
}

/** What nobody sees. */
const UNSEEN: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'svg', 'iframe', 'object'])

class PageHandler extends DomHandler {
  isFull = false
  private depth = 0
  private nodes = 0
  /** Depth at which an element began that nobody sees; 0: none. */
  private unseenFrom = 0

  override onopentag(name: string, attributes: { [key: string]: string }): void {
    if (++this.depth > PAGE_LIMITS.maxOpen) throw new TooDeep()
    if (this.unseenFrom > 0) return
    if (UNSEEN.has(name)) this.unseenFrom = this.depth
    else if (this.depth <= PAGE_LIMITS.maxDepth && this.hasRoom()) super.onopentag(name, attributes)
  }

  override onclosetag(): void {
    const at = this.depth--
    if (this.unseenFrom > 0) {
      if (at === this.unseenFrom) this.unseenFrom = 0
    } else if (at <= PAGE_LIMITS.maxDepth && !this.isFull) super.onclosetag()
  }

  override ontext(text: string): void {
    if (this.unseenFrom === 0 && this.hasRoom()) super.ontext(text)
  }

  override oncomment(): void {}
  override oncommentend(): void {}
  override onprocessinginstruction(): void {}

  private hasRoom(): boolean {
    if (!this.isFull && ++this.nodes > PAGE_LIMITS.maxNodes) this.isFull = true
    return !this.isFull
  }
}

/** Reads HTML, whatever it is like. Never throws. */
export function parsePage(html: string, url: string): Page {
  const handler = new PageHandler()
  const text = html.length > PAGE_LIMITS.maxChars ? html.slice(0, PAGE_LIMITS.maxChars) : html
  const isWhole = parseInto(handler, text)
  const { root } = handler
  const head = readHead(root)
  const base = addressOf(head.base, url) ?? url
  return {
    root,
    base,
    title: head.title,
    language: head.language,
    nextUrl: addressOf(head.next, base),
    isCut: handler.isFull || !isWhole || text !== html,
  }
}

/** False where it went astray: what it said before is enough. */
function parseInto(handler: PageHandler, text: string): boolean {
  try {
    new Parser(handler, { decodeEntities: true }).end(text)
    return true
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error
    return false
  }
}

interface Head {
  readonly base: string | null
  readonly title: string | null
  readonly language: string | null
  readonly next: string | null
}

function readHead(root: Root): Head {
  const found: { -readonly [Key in keyof Head]: Head[Key] } = { base: null, title: null, language: null, next: null }
  for (const element of elementsIn(root)) {
    const { name, attribs } = element
    if (name === 'html') found.language ??= attribs['lang'] || null
    else if (name === 'title') found.title ??= shownText(element) || null
    else if (name === 'base') found.base ??= attribs['href'] ?? null
    else if (isNext(element)) found.next ??= attribs['href'] ?? null
  }
  return found
}

function isNext({ name, attribs }: PageElement): boolean {
  return (name === 'a' || name === 'link') && (attribs['rel'] ?? '').toLowerCase().split(/\s+/).includes('next')
}

/** Absolute, http or https; null: it is no such address. */
export function addressOf(reference: string | null | undefined, base: string): string | null {
  const text = reference?.trim()
  const url = text ? parseUrl(text, base) : null
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null
}

export function isElement(node: PageNode): node is PageElement {
  return 'attribs' in node
}

export function childElements(node: Root | PageElement): PageElement[] {
  return node.children.filter(isElement)
}

/** All elements below, in the order of the document. */
export function elementsIn(node: Root | PageElement): PageElement[] {
  const found: PageElement[] = []
  const walk = (parent: Root | PageElement): void => {
    for (const child of parent.children) {
      if (!isElement(child)) continue
      found.push(child)
      walk(child)
    }
  }
  walk(node)
  return found
}

/** Elements that begin a line of their own. */
const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote br caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 ' +
    'h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead title tr ul'
  ).split(' '),
)

const LONGEST_TEXT = 200_000

/** Its text as lines, without empty ones. */
export function linesOf(element: PageElement): string[] {
  const pieces: string[] = []
  let length = 0
  const walk = (node: PageNode): void => {
    if (length > LONGEST_TEXT) return
    if (isElement(node)) {
      const isBlock = BLOCKS.has(node.name)
      if (isBlock) pieces.push('\n')
      for (const child of node.children) walk(child)
      if (isBlock) pieces.push('\n')
    } else if ('data' in node) {
      pieces.push(node.data.replace(/\s+/g, ' '))
      length += node.data.length
    }
  }
  walk(element)
  return pieces
    .join('')
    .slice(0, LONGEST_TEXT)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .map(detach)
}

/** Suggestions ask for the same texts again and again; a tree does not change. */
const texts = new WeakMap<PageElement, string>()

/** Its text in one line. */
export function shownText(element: PageElement): string {
  const known = texts.get(element)
  if (known !== undefined) return known
  const text = linesOf(element).join(' ')
  texts.set(element, text)
  return text
}
