import { Parser } from 'htmlparser2'

/**
 * Text with its character references read, those of HTML too: exports hold `&eacute;`, which XML does not know. Read as
 * the value of an attribute, where `&copy=1` within an address is left alone (HTML Standard §13.2.5.73).
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  let decoded = text
  const parser = new Parser({
    onattribute(_, value) {
      decoded = value
    },
  })
  parser.end(`<a b="${text.replaceAll('"', '&quot;')}">`)
  return decoded
}
