import type { ParseLimits } from '../limits.ts'
import type { ProblemList } from '../problems.ts'
import {
  BANG,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER,
  isNameStart,
  isSpace,
  isXmlDeclaration,
  LESS_THAN,
  QUESTION,
  SINGLE_QUOTE,
  SLASH,
} from './characters.ts'
import { readDoctype } from './doctype.ts'
import { EntityDecoder } from './entities.ts'

/** What the scanner reports while it goes through a document. Return `false` from `open` to stop there. */
export interface XmlHandler {
  open(name: string, scanner: XmlScanner): boolean
  close(name: string): void
  /** Text with references already replaced, or the inside of a CDATA section. */
  text(value: string): void
  /** Called before text is made: no handler needs most of the white space. */
  wantsText(): boolean
  /** Whether this element, found without an end tag, is void HTML inside inline markup (`<br>`). */
  isVoid(name: string): boolean
}

/**
 * Goes once through an XML document that need not be well-formed, from `<` to `<` by indexOf, and makes strings only of
 * what the handler wants. Everything that XML 1.0 forbids and feeds do is repaired and noted in `problems`.
 */
export class XmlScanner {
  readonly entities: EntityDecoder
  /** Attributes of the element being opened. */
  attributeCount = 0
  readonly attributeNames: string[] = []
  private readonly valueStarts: number[] = []
  private readonly valueEnds: number[] = []

  private readonly text: string
  private readonly handler: XmlHandler
  private readonly problems: ProblemList
  private readonly limits: ParseLimits
  private readonly openNames: string[] = []
  private depthBeyond = 0
  private faults = 0
  private rootClosed = false
  private sawRoot = false
  private sawDoctype = false
  /** Known not to occur again: searching to the end for each `<?` would take quadratic time. */
  private noMoreInstructionEnds = false
  private stopped = false
  private nextAmpersand: number
  private lessFrom = Number.POSITIVE_INFINITY
  private lessAt = -1
  private cdataEnd: number

  constructor(text: string, handler: XmlHandler, problems: ProblemList, limits: ParseLimits) {
    this.text = text
    this.handler = handler
    this.problems = problems
    this.limits = limits
    this.entities = new EntityDecoder(problems, limits)
    this.nextAmpersand = text.indexOf('&')
    this.cdataEnd = text.indexOf(']]>')
  }

  run(): void {
    const { text } = this
    let at = 0
    while (at < text.length && !this.stopped) {
      const less = this.nextLess(at)
      if (less < 0) {
        this.textRun(at, text.length)
        at = text.length
        break
      }
      if (less > at) this.textRun(at, less)
      at = this.markup(less)
    }
    if (!this.stopped) this.finish()
  }

  /** Value of an attribute of the element being opened, by its name in lower case; null where it has none. */
  attribute(name: string): string | null {
    for (let i = 0; i < this.attributeCount; i++) {
      const own = this.attributeNames[i] ?? ''
      if (own === name || (own.length === name.length && own.toLowerCase() === name)) return this.attributeValue(i)
    }
    return null
  }

  attributeValue(index: number): string {
    const start = this.valueStarts[index] ?? 0
    const raw = this.text.slice(start, this.valueEnds[index] ?? 0)
    return raw.includes('&') ? this.entities.decode(raw, start) : raw
  }

  get depth(): number {
    return this.openNames.length
  }

  /** The first `<` at or after a place; remembered, because attributes and the text after them ask for the same. */
  private nextLess(from: number): number {
    if (this.lessFrom <= from && (from <= this.lessAt || this.lessAt < 0)) return this.lessAt
    this.lessFrom = from
    this.lessAt = this.text.indexOf('<', from)
    return this.lessAt
  }

  /** The first `]]>` at or after a place, -1 for none; remembered, so that the document is searched once. Places only rise. */
  private nextCdataEnd(from: number): number {
    if (this.cdataEnd >= 0 && this.cdataEnd < from) this.cdataEnd = this.text.indexOf(']]>', from)
    return this.cdataEnd
  }

  private markup(less: number): number {
    const { text } = this
    const code = text.charCodeAt(less + 1)
    if (code === SLASH) return this.endTag(less)
    if (isNameStart(code)) return this.startTag(less)
    if (code === BANG) return this.declaration(less)
    if (code === QUESTION) return this.instruction(less)
    this.fault('bare-less-than', less)
    if (this.depthBeyond === 0 && this.handler.wantsText()) this.handler.text('<')
    return less + 1
  }

  private textRun(start: number, end: number): void {
    if (this.openNames.length === 0) {
      this.outsideText(start, end)
      return
    }
    let hasReference = false
    if (this.nextAmpersand >= 0 && this.nextAmpersand < end) {
      hasReference = true
      this.nextAmpersand = this.text.indexOf('&', end)
    }
    if (this.depthBeyond > 0) return
    const cdataEnd = this.nextCdataEnd(start)
    if (cdataEnd >= 0 && cdataEnd < end) this.problems.add('bad-cdata-end', start)
    const isWanted = this.handler.wantsText()
    if (!isWanted && !hasReference) return
    const raw = this.text.slice(start, end)
    const value = hasReference ? this.entities.decode(raw, start) : raw
    if (isWanted) this.handler.text(value)
  }

  private outsideText(start: number, end: number): void {
    for (let i = start; i < end; i++) {
      const code = this.text.charCodeAt(i)
      if (!isSpace(code) && code !== 0xfeff) {
        this.problems.add('text-outside-root', i)
        break
      }
    }
    if (this.nextAmpersand >= 0 && this.nextAmpersand < end) this.nextAmpersand = this.text.indexOf('&', end)
  }

  // Tags --------------------------------------------------------------------------------------------------------------

  private startTag(less: number): number {
    const { text } = this
    let at = less + 2
    let code = text.charCodeAt(at)
    while (code !== GREATER && code !== SLASH && !isSpace(code) && code !== LESS_THAN && at < text.length) {
      code = text.charCodeAt(++at)
    }
    const name = text.slice(less + 1, at)
    this.attributeCount = 0
    let selfClosing = false
    for (;;) {
      while (isSpace(code)) code = text.charCodeAt(++at)
      if (code === GREATER) break
      if (at >= text.length || code === LESS_THAN) {
        this.fault(at >= text.length ? 'truncated' : 'bad-tag', less)
        if (at >= text.length) return at
        at--
        break
      }
      if (code === SLASH) {
        selfClosing = text.charCodeAt(at + 1) === GREATER
        if (!selfClosing) this.fault('bad-tag', at)
        code = text.charCodeAt(++at)
        continue
      }
      at = this.readAttribute(at)
      code = text.charCodeAt(at)
    }
    this.opened(name, selfClosing, less, at + 1)
    return this.afterVoid(name, at + 1)
  }

  /** Reads `name="value"` at `at`; returns the position after it. */
  private readAttribute(start: number): number {
    const { text } = this
    let at = start
    let code = text.charCodeAt(at)
    while (
      code !== EQUALS &&
      code !== GREATER &&
      code !== SLASH &&
      code !== LESS_THAN &&
      !isSpace(code) &&
      at < text.length
    ) {
      code = text.charCodeAt(++at)
    }
    const nameEnd = at
    while (isSpace(code)) code = text.charCodeAt(++at)
    if (code !== EQUALS) {
      this.fault('bad-attribute', start)
      this.keepAttribute(start, nameEnd, nameEnd, nameEnd)
      return at === start ? at + 1 : at
    }
    code = text.charCodeAt(++at)
    while (isSpace(code)) code = text.charCodeAt(++at)
    if (code !== DOUBLE_QUOTE && code !== SINGLE_QUOTE) return this.readBareValue(start, nameEnd, at)
    const close = text.indexOf(code === DOUBLE_QUOTE ? '"' : "'", at + 1)
    if (close < 0) {
      this.fault('bad-attribute', start)
      const gt = text.indexOf('>', at)
      this.keepAttribute(start, nameEnd, at + 1, gt < 0 ? text.length : gt)
      return gt < 0 ? text.length : gt
    }
    this.keepAttribute(start, nameEnd, at + 1, close)
    if (!isSpace(text.charCodeAt(close + 1)) && isNameStart(text.charCodeAt(close + 1)))
      this.fault('bad-attribute', close)
    return close + 1
  }

  private readBareValue(start: number, nameEnd: number, valueStart: number): number {
    let at = valueStart
    let code = this.text.charCodeAt(at)
    while (code !== GREATER && code !== LESS_THAN && !isSpace(code) && at < this.text.length)
      code = this.text.charCodeAt(++at)
    this.fault('bad-attribute', start)
    this.keepAttribute(start, nameEnd, valueStart, at)
    return at
  }

  private keepAttribute(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    const count = this.attributeCount
    const name = this.text.slice(nameStart, nameEnd)
    const fault = this.refusal(name)
    if (fault !== null) {
      this.problems.add(fault, nameStart, name)
      return
    }
    this.attributeNames[count] = name
    this.valueStarts[count] = valueStart
    this.valueEnds[count] = valueEnd
    this.attributeCount = count + 1
    this.checkValue(valueStart, valueEnd)
  }

  private refusal(name: string): 'too-many-attributes' | 'duplicate-attribute' | null {
    if (this.attributeCount >= this.limits.maxAttributes) return 'too-many-attributes'
    for (let i = 0; i < this.attributeCount; i++) if (this.attributeNames[i] === name) return 'duplicate-attribute'
    return null
  }

  private checkValue(start: number, end: number): void {
    const { text } = this
    if (this.nextAmpersand >= 0 && this.nextAmpersand < end) {
      this.entities.decode(text.slice(start, end), start)
      this.nextAmpersand = text.indexOf('&', end)
    }
    const less = this.nextLess(start)
    if (less >= 0 && less < end) this.problems.add('bad-attribute', less)
  }

  private opened(name: string, selfClosing: boolean, less: number, after: number): void {
    if (this.rootClosed) this.problems.add('content-after-root', less)
    if (this.depthBeyond > 0 || this.openNames.length >= this.limits.maxDepth) {
      this.problems.add('too-deep', less)
      if (!selfClosing) this.depthBeyond++
      return
    }
    this.sawRoot = true
    this.openNames.push(name)
    if (this.rootClosed) {
      // A second root: only its shape is followed.
      if (selfClosing) this.openNames.pop()
      return
    }
    if (!this.handler.open(name, this)) {
      this.stopped = true
      return
    }
    const isVoid = !selfClosing && this.handler.isVoid(name)
    if (isVoid && !this.text.startsWith(`</${name}`, after)) this.problems.add('unclosed-element', less, name)
    if (selfClosing || isVoid) this.closeTop()
  }

  /** The end tag of `<br></br>`: the element is closed already. */
  private afterVoid(name: string, after: number): number {
    const { text } = this
    if (text.charCodeAt(after) !== LESS_THAN || text.charCodeAt(after + 1) !== SLASH) return after
    if (!this.handler.isVoid(name) || !text.startsWith(name, after + 2)) return after
    const gt = text.indexOf('>', after)
    return gt < 0 ? text.length : gt + 1
  }

  private endTag(less: number): number {
    const { text } = this
    const expected = this.openNames.at(-1)
    if (expected !== undefined && this.depthBeyond === 0 && text.startsWith(expected, less + 2)) {
      const end = less + 2 + expected.length
      if (text.charCodeAt(end) === GREATER) {
        this.closeTop()
        return end + 1
      }
    }
    let at = less + 2
    let code = text.charCodeAt(at)
    while (code !== GREATER && code !== LESS_THAN && !isSpace(code) && at < text.length) code = text.charCodeAt(++at)
    const nameEnd = at
    while (isSpace(code)) code = text.charCodeAt(++at)
    if (code !== GREATER) {
      if (at >= text.length) {
        this.problems.add('truncated', less)
      } else {
        this.fault('bad-tag', less)
        while (code !== GREATER && code !== LESS_THAN && at < text.length) code = text.charCodeAt(++at)
        if (code === LESS_THAN) at--
      }
    }
    this.closed(text.slice(less + 2, nameEnd), less)
    return at + 1
  }

  private closed(name: string, less: number): void {
    if (this.depthBeyond > 0) {
      this.depthBeyond--
      return
    }
    const { openNames } = this
    if (openNames.at(-1) !== name) this.fault('mismatched-tag', less)
    const lower = name.toLowerCase()
    const match = openNames.findLastIndex((open) => open === name || open.toLowerCase() === lower)
    if (match >= 0) while (openNames.length > match) this.closeTop()
  }

  private closeTop(): void {
    const name = this.openNames.pop()!
    if (!this.rootClosed) this.handler.close(name)
    if (this.openNames.length === 0) this.rootClosed = true
  }

  // Sections ----------------------------------------------------------------------------------------------------------

  private declaration(less: number): number {
    const { text } = this
    if (text.startsWith('<!--', less)) return this.comment(less)
    if (text.startsWith('<![CDATA[', less)) return this.cdata(less)
    if (!this.sawDoctype && /^<!doctype/i.test(text.slice(less, less + 9))) {
      this.sawDoctype = true
      const end = readDoctype(text, less, this.entities, this.problems)
      return this.skipTo(end, end, less)
    }
    this.fault('bad-tag', less)
    const gt = text.indexOf('>', less)
    return gt < 0 ? text.length : gt + 1
  }

  private comment(less: number): number {
    const end = this.text.indexOf('-->', less + 4)
    if (end >= 0) {
      const dashes = this.text.indexOf('--', less + 4)
      if (dashes < end) this.problems.add('bad-comment', dashes)
    }
    return this.skipTo(end, end + 3, less)
  }

  private cdata(less: number): number {
    const { text } = this
    const end = this.nextCdataEnd(less + 9)
    if (this.openNames.length === 0) this.problems.add('text-outside-root', less)
    else if (this.depthBeyond === 0 && this.handler.wantsText()) {
      this.handler.text(text.slice(less + 9, end < 0 ? text.length : end))
    }
    return this.skipTo(end, end + 3, less)
  }

  private instruction(less: number): number {
    const { text } = this
    const end = this.noMoreInstructionEnds ? -1 : text.indexOf('?>', less + 2)
    if (isXmlDeclaration(text, less)) {
      if (less > 0) this.problems.add('misplaced-xml-declaration', less)
    } else if (!isNameStart(text.charCodeAt(less + 2))) {
      this.problems.add('bad-processing-instruction', less)
    }
    // PHP and SGML end theirs with a mere `>`.
    if (end < 0) {
      this.noMoreInstructionEnds = true
      const gt = text.indexOf('>', less)
      this.problems.add('unclosed-section', less)
      return gt < 0 ? text.length : gt + 1
    }
    return this.skipTo(end, end + 2, less)
  }

  /** Ends a section at `after`, or the document if the section has no `end`. */
  private skipTo(end: number, after: number, less: number): number {
    if (end < 0) {
      this.problems.add('unclosed-section', less)
      return this.text.length
    }
    if (this.nextAmpersand >= 0 && this.nextAmpersand < after) this.nextAmpersand = this.text.indexOf('&', after)
    return after
  }

  // Ends --------------------------------------------------------------------------------------------------------------

  private fault(code: Parameters<ProblemList['add']>[0], offset: number): void {
    this.problems.add(code, offset)
    if (++this.faults > this.limits.maxFaults) {
      this.problems.add('too-broken', offset)
      this.stopped = true
      while (this.openNames.length > 0) this.closeTop()
    }
  }

  private finish(): void {
    if (this.openNames.length > 0 || this.depthBeyond > 0) {
      this.problems.add('truncated', this.text.length, `<${this.openNames.at(-1) ?? ''}> is open`)
    }
    while (this.openNames.length > 0) this.closeTop()
    if (!this.sawRoot) this.problems.add('empty')
  }
}
