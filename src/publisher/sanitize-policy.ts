import { tableOf } from '../model/table.ts'

/**
 * What published HTML may hold: text, tables, pictures, sound and film. Nothing that runs, loads documents, takes
 * input, or reaches beyond its own box. Tags of SVG and MathML are left out as a whole: their parsing rules are the root of
 * nearly every mutation attack on sanitisers. The text of a formula stays; what is embedded becomes a link.
 *
 * `id` and `name` are missing on purpose: they would become globals of a page that shows the content (DOM clobbering),
 * and links to them (`#note-1`) are resolved against the article's address anyway.
 */

/** How the value of an attribute is judged. */
type ValueKind = 'text' | 'simple' | 'url' | 'image' | 'srcset' | 'style' | 'target'

const GLOBAL_ATTRIBUTES = tableOf<ValueKind>({
  title: 'text',
  lang: 'simple',
  dir: 'simple',
  class: 'simple',
  align: 'simple',
  style: 'style',
})

const CELL = tableOf<ValueKind>({
  colspan: 'simple',
  rowspan: 'simple',
  headers: 'simple',
  scope: 'simple',
  valign: 'simple',
  abbr: 'text',
  width: 'simple',
  height: 'simple',
  bgcolor: 'simple',
})

const MEDIA = tableOf<ValueKind>({
  src: 'url',
  controls: 'simple',
  loop: 'simple',
  muted: 'simple',
  preload: 'simple',
  width: 'simple',
  height: 'simple',
})

const OWN_ATTRIBUTES = tableOf<Readonly<Record<string, ValueKind>>>({
  a: { href: 'url', hreflang: 'simple', rel: 'simple', type: 'simple', target: 'target' },
  audio: MEDIA,
  blockquote: { cite: 'url' },
  br: { clear: 'simple' },
  col: { span: 'simple', width: 'simple' },
  colgroup: { span: 'simple', width: 'simple' },
  del: { cite: 'url', datetime: 'simple' },
  details: { open: 'simple' },
  font: { color: 'simple', face: 'simple', size: 'simple' },
  hr: { size: 'simple', width: 'simple', noshade: 'simple' },
  img: {
    src: 'image',
    srcset: 'srcset',
    sizes: 'simple',
    alt: 'text',
    width: 'simple',
    height: 'simple',
    border: 'simple',
    hspace: 'simple',
    vspace: 'simple',
    ismap: 'simple',
    loading: 'simple',
    decoding: 'simple',
  },
  ins: { cite: 'url', datetime: 'simple' },
  li: { value: 'simple', type: 'simple' },
  ol: { start: 'simple', type: 'simple', reversed: 'simple' },
  q: { cite: 'url' },
  source: { src: 'url', srcset: 'srcset', sizes: 'simple', type: 'simple', media: 'simple' },
  table: {
    border: 'simple',
    cellpadding: 'simple',
    cellspacing: 'simple',
    summary: 'text',
    width: 'simple',
    height: 'simple',
    bgcolor: 'simple',
  },
  td: CELL,
  th: CELL,
  time: { datetime: 'simple' },
  tr: { valign: 'simple', bgcolor: 'simple' },
  track: { src: 'url', kind: 'simple', srclang: 'simple', label: 'text' },
  ul: { type: 'simple' },
  video: { ...MEDIA, poster: 'image' },
})

const PLAIN_TAGS =
  'abbr acronym address article aside b bdi bdo big caption center cite code dd dfn dir div dl dt em ' +
  'figcaption figure footer h1 h2 h3 h4 h5 h6 header i kbd main mark nav p picture pre rp rt ruby s samp section small span ' +
  'strike strong sub summary sup tbody tfoot thead tt u var wbr'

export const ALLOWED_TAGS: readonly string[] = [...PLAIN_TAGS.split(' '), ...Object.keys(OWN_ATTRIBUTES)]
export const VOID_TAGS: ReadonlySet<string> = new Set(['br', 'col', 'hr', 'img', 'source', 'track', 'wbr'])

const KINDS: ReadonlyMap<string, ReadonlyMap<string, ValueKind>> = new Map(
  ALLOWED_TAGS.map((tag) => [tag, new Map(Object.entries({ ...GLOBAL_ATTRIBUTES, ...OWN_ATTRIBUTES[tag] }))]),
)

/** The attributes that a tag may have; undefined for a tag that may not be there. */
export function attributesOf(tag: string): ReadonlyMap<string, ValueKind> | undefined {
  return KINDS.get(tag)
}

export const SAFE_SCHEMES: readonly string[] =
  'http https mailto tel sms ftp xmpp irc ircs news nntp geo magnet sip webcal feed gemini'.split(' ')
const SAFE_PROTOCOLS = new Set(SAFE_SCHEMES.map((scheme) => `${scheme}:`))
const RASTER_DATA = /^data:image\/(?:png|gif|jpe?g|webp|avif);base64,[a-z0-9+/=]*$/i
const SIMPLE = /^[\p{L}\p{N} _.,:;%#+*/()!?&=@'-]*$/u

/** The value as it may be written, resolved where it is an address; null to leave the attribute out. */
export function safeValue(kind: ValueKind, value: string, base: string | null): string | null {
  switch (kind) {
    case 'text':
      return value
    case 'simple':
      return SIMPLE.test(value) ? value : null
    case 'url':
      return safeUrl(value, base)
    case 'image':
      return RASTER_DATA.test(value) ? value : safeUrl(value, base)
    case 'srcset':
      return safeSrcset(value, base)
    case 'style':
      return safeStyle(value)
    case 'target':
      // Any other name could reuse or replace a window of the page around it.
      return value === '_blank' || value === '_self' ? value : null
  }
}

const NEVER_IN_URL = /[\x00-\x1f\x7f]/g

/** URL parsers drop tabs and line breaks anywhere and control characters at the ends; so do we, before looking. */
function safeUrl(value: string, base: string | null): string | null {
  const url = value.replace(NEVER_IN_URL, '').trim()
  if (url === '') return null
  const absolute = parseUrl(url, undefined)
  if (absolute !== null) return SAFE_PROTOCOLS.has(absolute.protocol) ? url : null
  const resolved = parseUrl(url, base ?? 'https://unknown.invalid/')
  if (resolved === null || !SAFE_PROTOCOLS.has(resolved.protocol)) return null
  return base === null ? url : resolved.href
}

function parseUrl(url: string, base: string | undefined): URL | null {
  try {
    return new URL(url, base)
  } catch {
    return null
  }
}

// HTML Standard §4.8.4.2.1: an address runs up to white space; a comma at its end separates.
const CANDIDATE = /^[\s,]*([^\s,]\S*?)(?:,(?=\s|$)|\s+(\d{1,6}(?:\.\d{1,4})?[wxh])?\s*(?:,|$)|$)/

function safeSrcset(value: string, base: string | null): string | null {
  const candidates: string[] = []
  let rest = value.slice(0, LONGEST_SRCSET)
  while (rest !== '') {
    const match = CANDIDATE.exec(rest)
    if (match === null) break
    rest = rest.slice(match[0].length)
    const url = safeUrl(match[1] as string, base)
    if (url !== null && !url.endsWith(',')) candidates.push(match[2] === undefined ? url : `${url} ${match[2]}`)
  }
  return candidates.length === 0 ? null : candidates.join(', ')
}

const LONGEST_SRCSET = 8_192

const STYLE_PROPERTIES = new Set(
  (
    'text-align text-decoration text-indent text-transform font-weight font-style font-size font-family font-variant color ' +
    'background-color width height max-width max-height min-width min-height margin margin-left margin-right margin-top margin-bottom ' +
    'padding padding-left padding-right padding-top padding-bottom border border-left border-right border-top ' +
    'border-bottom border-color border-style border-width border-collapse border-spacing border-radius float clear ' +
    'display vertical-align white-space line-height letter-spacing list-style-type direction aspect-ratio'
  ).split(' '),
)
// Neither escapes, comments, addresses, functions but colours, nor negative lengths (which leave the box).
const STYLE_VALUE = /^(?:[a-z0-9#.,%/"' ]|(?<=[a-z])-(?=[a-z])|(?:rgb|hsl)a?\([0-9.,% /]{1,40}\)|![a-z])*$/i

function safeStyle(value: string): string | null {
  const declarations: string[] = []
  for (const declaration of value.split(';')) {
    const colon = declaration.indexOf(':')
    const property = declaration.slice(0, colon).trim().toLowerCase()
    const content = declaration.slice(colon + 1).trim()
    if (colon > 0 && STYLE_PROPERTIES.has(property) && STYLE_VALUE.test(content))
      declarations.push(`${property}:${content}`)
  }
  return declarations.length === 0 ? null : declarations.join(';')
}

/** Whether a style may stay as it is written. */
export function isSafeStyle(value: string): boolean {
  for (const declaration of value.split(';')) {
    if (declaration.trim() === '') continue
    const colon = declaration.indexOf(':')
    if (!STYLE_PROPERTIES.has(declaration.slice(0, colon).trim())) return false
    if (!STYLE_VALUE.test(declaration.slice(colon + 1).trim())) return false
  }
  return true
}
