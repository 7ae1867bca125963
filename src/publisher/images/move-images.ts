import { Parser } from 'htmlparser2'
import type { ImageAddress } from './image-address.ts'

const ANY = /<(?:img|source|video)[\s/>]/i
/** Attributes that browsers load a picture from without being asked. */
const SINGLE: ReadonlyMap<string, string> = new Map([
  ['img', 'src'],
  ['video', 'poster'],
])

/** Sanitised HTML whose pictures are loaded from elsewhere; what cannot be is left out. Nothing else is touched. */
export function moveImages(html: string, addressOf: ImageAddress): string {
  if (!ANY.test(html)) return html
  let out = ''
  let from = 0
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (!SINGLE.has(tag) && tag !== 'source') return
      out += html.slice(from, parser.startIndex) + written(tag, moved(tag, attributes, addressOf))
      from = parser.endIndex + 1
    },
  })
  parser.end(html)
  return out + html.slice(from)
}

type Attributes = Readonly<Record<string, string>>

function moved(tag: string, attributes: Attributes, addressOf: ImageAddress): Attributes {
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(attributes)) {
    const isSet = name === 'srcset'
    const isPicture = isSet || name === SINGLE.get(tag)
    // What is in the document itself is loaded from nowhere.
    const next = !isPicture || value.startsWith('data:') ? value : isSet ? movedSet(value, addressOf) : addressOf(value)
    if (next !== null) result[name] = next
  }
  return result
}

/** As the sanitiser writes it: an address, perhaps a size, a comma and a space. */
function movedSet(value: string, addressOf: ImageAddress): string | null {
  const candidates = value.split(/,\s+/).flatMap((candidate) => {
    const [url = '', ...size] = candidate.trim().split(/\s+/)
    const address = addressOf(url)
    return address === null ? [] : [[address, ...size].join(' ')]
  })
  return candidates.length === 0 ? null : candidates.join(', ')
}

function written(tag: string, attributes: Attributes): string {
  const fields = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`)
  return `<${tag}${fields.join('')}>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
