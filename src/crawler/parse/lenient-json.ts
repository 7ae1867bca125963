import { tableOf } from '../../model/table.ts'
import { replaceEach } from '../../text/strings.ts'
import type { ParseLimits } from './limits.ts'

/**
 * Reads as much of broken JSON as it can: cut off anywhere, commas too many or too few, raw line breaks in strings.
 * Deeper nesting than `maxDepth` ends the reading, so the stack cannot overflow; so do more values than `maxJsonValues`.
 */
export function parseLenientJson(text: string, limits: Limits): unknown {
  return new LenientReader(text, limits).value(0)
}

type Limits = Pick<ParseLimits, 'maxDepth' | 'maxJsonValues'>

const END = Symbol('end')

class LenientReader {
  private at = 0
  private readonly text: string
  private readonly limits: Limits
  private values = 0

  constructor(text: string, limits: Limits) {
    this.text = text
    this.limits = limits
  }

  value(depth: number): unknown {
    const result = this.read(depth)
    return result === END ? undefined : result
  }

  private read(depth: number): unknown {
    this.skipSpace()
    const char = this.text[this.at]
    const { maxDepth, maxJsonValues } = this.limits
    if (char === undefined || depth > maxDepth || ++this.values > maxJsonValues) {
      this.at = this.text.length
      return END
    }
    if (char === '{') return this.object(depth)
    if (char === '[') return this.array(depth)
    if (char === '"') return this.string()
    return this.word()
  }

  private object(depth: number): unknown {
    const out: Record<string, unknown> = {}
    this.at++
    for (;;) {
      this.skipSeparators()
      const char = this.text[this.at]
      if (char === undefined) return out
      if (char === '}') {
        this.at++
        return out
      }
      if (char === ']') return out
      const key = char === '"' ? this.string() : String(this.word())
      this.skipSpace()
      if (this.text[this.at] === ':') this.at++
      const value = this.read(depth + 1)
      if (value === END) return out
      if (key !== '__proto__') out[key] = value
    }
  }

  private array(depth: number): unknown {
    const out: unknown[] = []
    this.at++
    for (;;) {
      this.skipSeparators()
      const char = this.text[this.at]
      if (char === undefined) return out
      if (char === ']') {
        this.at++
        return out
      }
      if (char === '}') return out
      const value = this.read(depth + 1)
      if (value === END) return out
      out.push(value)
    }
  }

  private string(): string {
    const start = ++this.at
    let escaped = false
    while (this.at < this.text.length) {
      const code = this.text.charCodeAt(this.at)
      if (code === 34) break
      if (code === 92) {
        escaped = true
        this.at++
      }
      this.at++
    }
    const raw = this.text.slice(start, Math.min(this.at, this.text.length))
    this.at++
    return escaped ? unescapeJson(raw) : raw
  }

  /** A number, true, false, null, or anything else up to the next sign of structure. */
  private word(): unknown {
    const start = this.at
    while (this.at < this.text.length && !/[\s,:\]}"{[]/.test(this.text.charAt(this.at))) this.at++
    if (this.at === start) this.at++
    const word = this.text.slice(start, this.at)
    if (word === 'true') return true
    if (word === 'false') return false
    const number = Number(word)
    return word === 'null' || word === '' || Number.isNaN(number) ? null : number
  }

  private skipSpace(): void {
    while (this.at < this.text.length && this.text.charCodeAt(this.at) <= 32) this.at++
  }

  private skipSeparators(): void {
    while (this.at < this.text.length && (this.text.charCodeAt(this.at) <= 32 || this.text[this.at] === ',')) this.at++
  }
}

const ESCAPES = tableOf<string>({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' })

function unescapeJson(raw: string): string {
  return replaceEach(raw, /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, ([, hex, char = '']) =>
    hex === undefined ? (ESCAPES[char] ?? char) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
