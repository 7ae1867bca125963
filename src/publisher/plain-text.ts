import { Parser } from 'htmlparser2'
import { oneLine, truncateText } from './xml-text.ts'

const MAX_HTML = 20_000

// What writers really put into titles; `<T>` in "List<T>" or `<3` is text.
const TITLE_TAGS = new Set(
  (
    'a abbr acronym address article aside audio b bdi bdo big blink blockquote body br button canvas caption center ' +
    'cite code col dd del details dfn dir div dl dt em embed fieldset figcaption figure font footer form frame h1 h2 ' +
    'h3 h4 h5 h6 head header hr html i iframe img input ins kbd label legend li link main map mark meta nav noscript ' +
    'object ol option p param picture pre q rp rt ruby s samp script section select small source span strike strong ' +
    'style sub summary sup svg table tbody td textarea tfoot th thead time title tr tt u ul var video wbr'
  ).split(' '),
)
const HIDDEN = new Set(['script', 'style'])
const BREAKS = new Set(['br', 'p', 'div', 'li', 'tr', 'td', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'hr'])

/** HTML as one line of plain text: known tags taken out, references decoded, everything else as it is. */
export function plainText(html: string, maxLength: number): string {
  const source = truncateText(html, MAX_HTML)
  if (!/[<&]/.test(source)) return oneLine(source, maxLength)
  const parts: string[] = []
  let hidden = 0
  const raw = () => source.slice(parser.startIndex, parser.endIndex + 1)
  const parser = new Parser(
    {
      ontext: (text) => {
        if (hidden === 0) parts.push(text)
      },
      onopentagname: (name) => {
        if (HIDDEN.has(name)) hidden++
        else if (!TITLE_TAGS.has(name)) unknown = true
        else if (BREAKS.has(name)) parts.push(' ')
      },
      onopentag: () => {
        if (unknown && hidden === 0) parts.push(raw())
        unknown = false
      },
      onclosetag: (name, implied) => {
        if (HIDDEN.has(name)) hidden = Math.max(0, hidden - 1)
        else if (!TITLE_TAGS.has(name)) {
          if (!implied && hidden === 0) parts.push(raw())
        } else if (BREAKS.has(name)) parts.push(' ')
      },
    },
    { decodeEntities: true },
  )
  let unknown = false
  parser.write(source)
  parser.end()
  return oneLine(parts.join(''), maxLength)
}
