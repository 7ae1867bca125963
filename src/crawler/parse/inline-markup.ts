import { tableOf } from '../../model/table.ts'
import { isUrlAttribute, resolveHtmlLinks, resolveSrcset } from './html-links.ts'
import type { ResolvedName } from './namespaces.ts'
import { looksLikeHtml, readPlain } from './plain-text.ts'
import type { ProblemList } from './problems.ts'
import { resolveUrl } from './url.ts'
import type { XmlScanner } from './xml/scanner.ts'

/**
 * What an element's text is. `date` and `plain` hold no markup. `html` may: escaped, in CDATA, or (against the rules)
 * as naked elements. `typed` says which, in `type` and `mode` (Atom text constructs).
 */
export type TextKind = 'date' | 'plain' | 'html' | 'typed'

/** What the text needs to know of the place where it is. */
export interface MarkupContext {
  readonly scanner: XmlScanner
  readonly base: string | null
  readonly problems: ProblemList
  /** Atom 0.3: the div around inline markup is part of it. */
  readonly keepsDiv: boolean
}

/** HTML elements without content that pages leave open. `link` and `source` are not here: feeds use them otherwise. */
const VOID_NAMES = ['br', 'hr', 'img', 'input', 'area', 'col', 'wbr', 'param', 'meta', 'base', 'embed']
const VOID = new Set([...VOID_NAMES, ...VOID_NAMES.map((name) => name.toUpperCase())])

const DEFAULT_NAMESPACE = tableOf<string>({
  svg: 'http://www.w3.org/2000/svg',
  mathml: 'http://www.w3.org/1998/Math/MathML',
})

const XLINK = ' xmlns:xlink="http://www.w3.org/1999/xlink"'

/**
 * The text of one element, where it may hold markup: escaped once (then it is HTML as it stands), or as elements of the
 * document itself (then they are written out as HTML again, with their links made absolute).
 */
export class InlineMarkup {
  /** Elements are written out, so text must be escaped. */
  active = false
  private readonly context: MarkupContext
  private kind: TextKind = 'plain'
  private base64 = false
  private plainType = false
  private divIsWrapper = false
  private holdsElements = false
  private readonly openTags: (string | null)[] = []
  /** The last start tag still lacks its `>`: only its end shows whether it is `<br />` or `<b>`. */
  private pending = false

  constructor(context: MarkupContext) {
    this.context = context
  }

  start(kind: TextKind): void {
    this.kind = kind
    this.active = false
    this.base64 = false
    this.plainType = false
    this.divIsWrapper = true
    this.holdsElements = false
    if (this.openTags.length > 0) this.openTags.length = 0
    this.pending = false
    if (kind === 'typed') this.readType()
  }

  /** RFC 4287 §3.1 and §4.1.3.3; for Atom 0.3, `type` is a media type and `mode` says how the text is written. */
  private readType(): void {
    const { scanner } = this.context
    if (scanner.attributeCount === 0) {
      this.plainType = true
      return
    }
    const type = scanner.attribute('type')?.trim().toLowerCase() ?? ''
    const mode = scanner.attribute('mode')?.trim().toLowerCase() ?? ''
    const isXml = type === 'xhtml' || type.endsWith('+xml') || type.endsWith('/xml')
    this.active = isXml && mode !== 'escaped' && mode !== 'base64'
    this.base64 = mode === 'base64' || (mode === '' && type.includes('/') && !type.startsWith('text/') && !isXml)
    this.plainType = !this.base64 && (type === '' || type === 'text' || type === 'text/plain')
    // The div of RFC 4287 §3.1.1.3 is not part of the content; Atom 0.3 has no such rule.
    this.divIsWrapper = !this.active || !this.context.keepsDiv
  }

  open(name: ResolvedName, rawName: string, scanner: XmlScanner, soFar: string): string {
    const tag =
      name.namespace === 'xhtml' || !rawName.includes(':') ? name.local : rawName.slice(rawName.indexOf(':') + 1)
    this.holdsElements = true
    if (this.isWrapper(tag, soFar)) {
      this.openTags.push(null)
      return soFar
    }
    this.active = true
    this.divIsWrapper = false
    this.openTags.push(tag)
    const before = this.flush()
    this.pending = true
    return `${soFar}${before}<${tag}${this.namespaceAttribute(name, tag)}${this.attributes(scanner)}`
  }

  /** A div around everything, as Atom asks for and some publishers put around escaped HTML. */
  private isWrapper(tag: string, soFar: string): boolean {
    return this.divIsWrapper && this.openTags.length === 0 && tag.toLowerCase() === 'div' && soFar.trim() === ''
  }

  private namespaceAttribute(name: ResolvedName, tag: string): string {
    const uri = tag === 'svg' || tag === 'math' ? DEFAULT_NAMESPACE[name.namespace] : undefined
    return uri === undefined ? '' : ` xmlns="${uri}"`
  }

  private attributes(scanner: XmlScanner): string {
    let out = ''
    for (let i = 0; i < scanner.attributeCount; i++) {
      const name = scanner.attributeNames[i] ?? ''
      if (name.startsWith('xml') && (name === 'xmlns' || name.includes(':'))) continue
      let value = scanner.attributeValue(i)
      if (isUrlAttribute(name)) value = resolveUrl(value, this.context.base)
      else if (name === 'srcset' || name === 'SRCSET') value = resolveSrcset(value, this.context.base)
      else if (name.startsWith('xlink:')) out = out.includes(XLINK) ? out : out + XLINK
      out += ` ${name}="${escapeAttribute(value)}"`
    }
    return out
  }

  close(soFar: string): string {
    const tag = this.openTags.pop()
    if (tag === null || tag === undefined) return soFar
    if (this.pending && this.isVoid(tag)) {
      this.pending = false
      return `${soFar} />`
    }
    return `${soFar}${this.flush()}</${tag}>`
  }

  text(value: string): string {
    const safe = /[&<>]/.test(value)
      ? value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      : value
    return this.flush() + safe
  }

  private flush(): string {
    if (!this.pending) return ''
    this.pending = false
    return '>'
  }

  isVoid(rawName: string): boolean {
    return rawName.length < 6 && VOID.has(rawName)
  }

  /** The text as it is stored. */
  finish(collected: string): string {
    const value = collected.trim()
    if (value === '') return ''
    const text = this.base64 ? decodeBase64(value) : value
    if (this.kind === 'plain' || this.kind === 'date') return text
    if (this.active) return this.holdsElements || !text.includes('&lt;') ? text : this.readEscaped(text)
    if (!this.plainType) return resolveHtmlLinks(text, this.context.base)
    // RFC 4287 §3.1.1.1: no markup, whatever it looks like; unless it was never meant so.
    const plain = readPlain(text, this.context.problems)
    return plain.isHtml ? resolveHtmlLinks(plain.text, this.context.base) : plain.text
  }

  /** Called XHTML, but without a single element and with tags that are escaped: HTML under a wrong label. */
  private readEscaped(escaped: string): string {
    const text = escaped.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
    if (!looksLikeHtml(text)) return escaped
    this.context.problems.add('mislabelled-html', null, text)
    return resolveHtmlLinks(text, this.context.base)
  }
}

function escapeAttribute(value: string): string {
  return /[&<>"]/.test(value)
    ? value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
    : value
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

const LONGEST_WORD = 100

/** Text only: a picture has no place in a title, and what is not base64 was text after all. */
function decodeBase64(value: string): string {
  if (!BASE64.test(value.replace(/\s+/g, ''))) return value
  const text = Buffer.from(value, 'base64').toString('utf8')
  if (!text.includes('\ufffd')) return text.trim()
  return value.length < LONGEST_WORD ? value : ''
}
