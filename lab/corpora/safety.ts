import { Parser } from 'htmlparser2'

const FORBIDDEN_ELEMENTS = new Set([
  'script',
  'style',
  'iframe',
  'frame',
  'frameset',
  'object',
  'embed',
  'applet',
  'form',
  'meta',
  'link',
  'base',
  'body',
  'html',
  'head',
  'noscript',
  'xml',
])

const UNSAFE_SCHEME = /^(?:javascript|vbscript|livescript|mocha|data:(?!image\/(?:png|gif|jpe?g|webp|avif)[;,]))/i
const UNSAFE_STYLE = /expression\s*\(|javascript:|vbscript:|behaviou?r\s*:|-moz-binding|@import|url\s*\(/i

/**
 * What a browser could be harmed by in this HTML: null if nothing. Judges what a parser sees, independently of the
 * sanitiser, which is built on another list.
 */
export function findDanger(html: string): string | null {
  let danger: string | null = null
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (FORBIDDEN_ELEMENTS.has(name)) danger ??= `<${name}>`
        for (const [key, value] of Object.entries(attributes)) danger ??= judgeAttribute(key.toLowerCase(), value)
      },
      onprocessinginstruction(name) {
        if (name.startsWith('?')) danger ??= `<${name}>`
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  parser.end(html)
  return danger
}

function judgeAttribute(name: string, value: string): string | null {
  if (name.startsWith('on')) return `${name}="…"`
  // Browsers pass over white space and control characters inside a scheme.
  const plain = value.replace(/[\0-\x20\x7f-\xa0\u200b-\u200f\u2028\u2029\ufeff]+/g, '')
  if (UNSAFE_SCHEME.test(plain)) return `${name}="${plain.slice(0, 30)}"`
  if (name === 'style' && UNSAFE_STYLE.test(withoutCssTricks(value))) return `style="${value.slice(0, 40)}"`
  if (name === 'srcdoc' || name === 'formaction') return name
  return null
}

/** CSS allows comments and escapes within words. */
function withoutCssTricks(style: string): string {
  return style
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, hex: string) =>
      String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff)),
    )
    .replace(/\\/g, '')
}
