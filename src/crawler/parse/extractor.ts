import type { InstantMs, ParsedItem } from '../../model/index.ts'
import { detach, MOST_PIECES } from '../../text/strings.ts'
import type { DateReader } from './date-reader.ts'
import { Draft, FeedDraft } from './draft.ts'
import { finishItem } from './finish.ts'
import { InlineMarkup, type TextKind } from './inline-markup.ts'
import type { ParseLimits } from './limits.ts'
import { NamespaceScope, type ResolvedName } from './namespaces.ts'
import type { ProblemList } from './problems.ts'
import { resolveBase, resolveUrl } from './url.ts'
import type { XmlHandler, XmlScanner } from './xml/scanner.ts'

/** What to do with one element where it may occur. */
export interface ElementHandler {
  /** At the start tag, with the attributes. */
  readonly open?: (x: Extractor) => void
  /** Its text is wanted, for `close`. */
  readonly text?: TextKind
  /** Markup in it is inline markup, as in titles. */
  readonly oneLine?: true
  /** At the end tag; `value` is trimmed, and empty unless `text` is set. */
  readonly close?: (x: Extractor, value: string) => void
  /**
   * Fields that may occur within; absent: whatever is inside is skipped, or markup of the text. `same`: those of the
   * parent. With `text` too, the element is one or the other: `close` gets '' if it has children.
   */
  readonly children?: ElementHandlers | 'same'
}

export type ElementHandlers = ReadonlyMap<string, ElementHandler>

export function mergeHandlers(...tables: readonly Readonly<Record<string, ElementHandler>>[]): ElementHandlers {
  return new Map(tables.flatMap((table) => Object.entries(table)))
}

/** Picks the vocabulary by the root element; null: not (yet) a feed. */
export type RootReader = (x: Extractor, name: ResolvedName) => ElementHandlers | 'look-inside' | null

interface Surroundings {
  readonly depth: number
  readonly scope: NamespaceScope
  readonly base: string | null
  readonly language: string | null
}

const NOTHING: ElementHandlers = new Map()

/** Turns the events of the scanner into drafts, led by the field tables of the format; no tree is built. */
export class Extractor implements XmlHandler {
  readonly feed = new FeedDraft()
  readonly items: ParsedItem[] = []
  /** What is being read: an item, or else the feed. */
  target: Draft = this.feed
  base: string | null
  language: string | null = null
  scope = NamespaceScope.outermost()
  scanner!: XmlScanner
  /** Atom 0.3: the div around inline markup is part of it. */
  keepsDiv = false
  /** Relation of the link being read. */
  linkRelation = ''
  linkType: string | null = null
  /** The person being read, part by part. */
  person = { name: '', email: '', url: '' }
  readonly problems: ProblemList
  readonly limits: ParseLimits

  private readonly dates: DateReader
  private readonly readRoot: RootReader
  private readonly fallback: (name: ResolvedName) => ElementHandler | undefined
  private rooted = false
  private depth = 0
  private itemDepth = 0
  private item: Draft | null = null
  /** By depth: the fields that may occur there, and the element that is open there. */
  private readonly tables: ElementHandlers[] = [NOTHING]
  private readonly openFields: (ElementHandler | null)[] = [null]
  private readonly outer: Surroundings[] = []
  private collecting: ElementHandler | null = null
  private collectDepth = 0
  private value = ''
  private pieces = 0
  private readonly inline: InlineMarkup

  constructor(options: {
    readonly url: string | null
    readonly problems: ProblemList
    readonly dates: DateReader
    readonly limits: ParseLimits
    readonly readRoot: RootReader
    readonly fallback: (name: ResolvedName) => ElementHandler | undefined
  }) {
    this.base = options.url
    this.problems = options.problems
    this.dates = options.dates
    this.limits = options.limits
    this.readRoot = options.readRoot
    this.fallback = options.fallback
    this.inline = new InlineMarkup(this)
  }

  get isFeed(): boolean {
    return this.rooted
  }

  get scannedDepth(): number {
    return this.depth
  }

  /** Keeps an item that the end of the document cut off. */
  endDocument(): void {
    if (this.item !== null) this.endItem()
  }

  // For the field tables ----------------------------------------------------------------------------------------------

  /** An attribute of the element being opened, trimmed and safe to keep; null if absent or blank. */
  attribute(name: string): string | null {
    const value = this.scanner.attribute(name)?.trim()
    return value === undefined || value === '' ? null : detach(value)
  }

  /** `url` must be safe to keep, as the values that fields get are; what is made of it then is, too. */
  resolve(url: string): string {
    const resolved = resolveUrl(url, this.base)
    return resolved === url ? url : detach(resolved)
  }

  date(text: string | null): InstantMs | null {
    return text === null || text === '' ? null : this.dates.read(text)
  }

  startItem(): void {
    if (this.item !== null) this.endItem()
    else this.itemDepth = this.depth
    this.item = new Draft()
    this.target = this.item
    if (this.language !== null) this.item.language.offer(this.language, 3)
  }

  endItem(): void {
    if (this.item !== null) {
      if (this.items.length < this.limits.maxItems) this.items.push(finishItem(this.item, this.limits, this.problems))
      else this.problems.add('too-many-items')
    }
    this.item = null
    // After an item that stood inside another, what remains of the outer one belongs nowhere.
    this.target = this.depth <= this.itemDepth ? this.feed : new Draft()
  }

  /** `value` must be safe to keep. */
  extend(key: string, value: string): void {
    const { target } = this
    if (value === '' || target.extensionCount >= this.limits.maxExtensions) return
    target.extensions ??= {}
    if (Object.hasOwn(target.extensions, key)) return
    target.extensions[key] = value
    target.extensionCount++
  }

  // XmlHandler --------------------------------------------------------------------------------------------------------

  open(rawName: string, scanner: XmlScanner): boolean {
    this.scanner = scanner
    this.depth++
    if (scanner.attributeCount > 0) this.readSurroundings(scanner)
    const name = this.scope.resolve(rawName)
    if (!name.declared) this.problems.add('undeclared-prefix', null, rawName)
    if (!this.rooted) return this.openRoot(rawName, name)
    if (this.collecting !== null && !this.endsCollecting(name)) {
      this.grow(this.inline.open(name, rawName, scanner, this.value))
      return true
    }
    this.openField(name)
    return true
  }

  wantsText(): boolean {
    return this.collecting !== null
  }

  text(value: string): void {
    // More is not left of it, and escaping takes many times its size.
    const shown = value.length > this.limits.maxFieldChars ? value.slice(0, this.limits.maxFieldChars + 1) : value
    const text = this.inline.active ? this.inline.text(shown) : shown
    if (this.value === '') this.value = text
    else this.grow(this.value + text)
  }

  /** Not beyond what is left of it in the end, be it text or tags, and joined for good from time to time: see TextPieces. */
  private grow(longer: string): void {
    if (this.value.length > this.limits.maxFieldChars) return
    this.value = ++this.pieces % MOST_PIECES === 0 ? detach(longer) : longer
  }

  isVoid(rawName: string): boolean {
    return this.collecting !== null && this.depth > this.collectDepth && this.inline.isVoid(rawName)
  }

  close(): void {
    const { depth } = this
    if (this.collecting !== null) {
      if (depth === this.collectDepth) this.finishText()
      else this.grow(this.inline.close(this.value))
    } else {
      const field = this.openFields[depth]
      if (field?.close !== undefined) field.close(this, '')
    }
    if (this.outer.at(-1)?.depth === depth) this.leaveSurroundings()
    this.openFields[depth] = null
    this.depth--
  }

  // Elements ----------------------------------------------------------------------------------------------------------

  private openRoot(rawName: string, name: ResolvedName): boolean {
    const table = this.readRoot(this, name)
    if (table === null) return false
    if (table === 'look-inside') return true
    if (this.depth > 1) this.problems.add('unexpected-root')
    this.rooted = true
    this.scope = this.scope.withRoot(rawName)
    this.openFields[this.depth] = null
    this.tables[this.depth] = table
    return true
  }

  private openField(name: ResolvedName): void {
    const { depth } = this
    const table = this.tables[depth - 1] ?? NOTHING
    const field = table === NOTHING ? undefined : (table.get(name.key) ?? this.fallback(name))
    this.openFields[depth] = field ?? null
    if (field === undefined) {
      this.tables[depth] = NOTHING
      return
    }
    this.tables[depth] = field.children === 'same' ? table : (field.children ?? NOTHING)
    if (field.open !== undefined) field.open(this)
    if (field.text !== undefined) this.startText(field, field.text)
  }

  private startText(field: ElementHandler, kind: TextKind): void {
    this.collecting = field
    this.collectDepth = this.depth
    this.value = ''
    this.inline.start(kind)
  }

  private finishText(): void {
    const field = this.collecting!
    this.collecting = null
    let value = this.inline.finish(this.value)
    this.value = ''
    if (value.length > this.limits.maxFieldChars) {
      this.problems.add('field-too-long')
      value = value.slice(0, this.limits.maxFieldChars)
    }
    field.close?.(this, field.text === 'date' ? value : detach(value))
  }

  /**
   * An element inside a text that cannot be markup of that text: the end tag was forgotten, or the text is really a
   * container. The text ends here, and the element is read as if it stood beside.
   */
  private endsCollecting(name: ResolvedName): boolean {
    if (this.depth !== this.collectDepth + 1) return false
    const field = this.collecting!
    const siblings = this.tables[this.collectDepth - 1] ?? NOTHING
    if (field.children !== undefined) {
      const inner = this.tables[this.collectDepth] ?? NOTHING
      if (!inner.has(name.key) && (field.children !== 'same' || this.fallback(name) === undefined)) return false
      this.collecting = null
      return true
    }
    if (!this.isSibling(field, name, siblings)) return false
    // If the end tag is really missing, the scanner says so.
    this.finishText()
    this.openFields[this.collectDepth] = null
    this.tables[this.collectDepth] = siblings
    return true
  }

  private isSibling(field: ElementHandler, name: ResolvedName, siblings: ElementHandlers): boolean {
    const holdsBlocks = (field.text === 'html' || field.text === 'typed') && field.oneLine !== true
    if (name.namespace === 'xhtml') return false
    return siblings.has(name.key) && (!holdsBlocks || STRUCTURE.has(name.key))
  }

  // Base, language and namespaces -------------------------------------------------------------------------------------

  private readSurroundings(scanner: XmlScanner): void {
    let declarations: [string, string][] | null = null
    let base: string | null = null
    let language: string | null = null
    let prefixed = false
    for (let i = 0; i < scanner.attributeCount; i++) {
      const name = scanner.attributeNames[i] ?? ''
      if (!name.includes(':')) {
        if (name === 'xmlns') (declarations ??= []).push(['', scanner.attributeValue(i)])
      } else if (name.startsWith('xmlns:')) {
        ;(declarations ??= []).push([name.slice(6), scanner.attributeValue(i)])
      } else if (name === 'xml:base') base = scanner.attributeValue(i)
      else if (name === 'xml:lang') language = scanner.attributeValue(i)
      else prefixed = true
    }
    if (declarations !== null || base !== null || language !== null) this.enter(declarations, base, language)
    if (prefixed) this.checkAttributePrefixes(scanner)
  }

  private enter(declarations: [string, string][] | null, base: string | null, language: string | null): void {
    this.outer.push({ depth: this.depth, scope: this.scope, base: this.base, language: this.language })
    if (declarations !== null) {
      // Namespaces in XML 1.0 §5: a prefix cannot be undeclared.
      if (declarations.some(([prefix, uri]) => prefix !== '' && uri === '')) this.problems.add('bad-namespace')
      this.scope = this.scope.declare(declarations)
    }
    if (base !== null) this.base = resolveBase(base, this.base)
    if (language !== null) this.language = language.trim() === '' ? null : detach(language.trim().replaceAll('_', '-'))
  }

  private leaveSurroundings(): void {
    const outer = this.outer.pop()!
    this.scope = outer.scope
    this.base = outer.base
    this.language = outer.language
  }

  private checkAttributePrefixes(scanner: XmlScanner): void {
    for (let i = 0; i < scanner.attributeCount; i++) {
      const name = scanner.attributeNames[i] ?? ''
      const colon = name.indexOf(':')
      if (colon < 0 || name.startsWith('xml')) continue
      if (this.scope.uriOf(name.slice(0, colon)) === undefined) this.problems.add('undeclared-prefix', null, name)
    }
  }
}

/** Elements that are never HTML: they end even a description that was left open. */
const STRUCTURE: ReadonlySet<string> = new Set([
  'item',
  'entry',
  'guid',
  'pubdate',
  'description',
  'enclosure',
  'published',
  'updated',
  'content:encoded',
])
