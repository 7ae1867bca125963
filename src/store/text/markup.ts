const ENTITY = /&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,8}[0-9]{0,2});/gi
export const ENTITY_NAME = /^(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,8}[0-9]{0,2})$/i
const SILENT_ELEMENT = /<(script|style)\b/gi

// The names that feeds really use; whatever else there is stays as it is and costs a search hit, never an item.
const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    ndash: '–',
    mdash: '—',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    laquo: '«',
    raquo: '»',
    hellip: '…',
    shy: '',
    auml: 'ä',
    ouml: 'ö',
    uuml: 'ü',
    Auml: 'Ä',
    Ouml: 'Ö',
    Uuml: 'Ü',
    szlig: 'ß',
    eacute: 'é',
    Eacute: 'É',
    egrave: 'è',
    ecirc: 'ê',
    agrave: 'à',
    acirc: 'â',
    aacute: 'á',
    ccedil: 'ç',
    ocirc: 'ô',
    oacute: 'ó',
    iacute: 'í',
    icirc: 'î',
    uacute: 'ú',
    ucirc: 'û',
    ntilde: 'ñ',
    atilde: 'ã',
    otilde: 'õ',
    aring: 'å',
    aelig: 'æ',
    oslash: 'ø',
  }),
)

/**
 * The words of a piece of HTML or plain text, for the full-text index and for nothing else: tags become spaces, what a
 * browser would not show (scripts, styles) goes, common entities are decoded. Linear in the length of the text.
 */
export function stripMarkup(text: string): string {
  const plain = text.includes('<') ? dropTags(dropSilent(text)) : text
  return plain.includes('&') ? plain.replace(ENTITY, decodeEntity) : plain
}

/** By indexOf, which is several times faster than an expression; `<` without a name after it, or unclosed, is text. */
function dropTags(text: string): string {
  let plain = ''
  let from = 0
  let close = -1
  for (let open = text.indexOf('<'); open !== -1; ) {
    const next = text.indexOf('<', open + 1)
    // Looked for again only once it is passed, so that many unclosed tags do not each search to the end.
    if (close < open) close = text.indexOf('>', open)
    if (close === -1) break
    if ((next === -1 || close < next) && startsTag(text.charCodeAt(open + 1))) {
      plain += `${text.slice(from, open)} `
      from = close + 1
    }
    open = next
  }
  return plain + text.slice(from)
}

/** A letter, `/`, `!` or `?`. */
export function startsTag(code: number): boolean {
  return ((code | 32) >= 0x61 && (code | 32) <= 0x7a) || code === 0x2f || code === 0x21 || code === 0x3f
}

function dropSilent(text: string): string {
  if (!text.includes('<s') && !text.includes('<S')) return text
  let plain = ''
  let from = 0
  for (const { index, 1: name } of text.matchAll(SILENT_ELEMENT)) {
    if (index < from) continue
    plain += text.slice(from, index)
    const close = new RegExp(`</${name}`, 'gi')
    close.lastIndex = index
    const end = close.exec(text)
    if (end === null) return plain
    from = end.index
  }
  return plain + text.slice(from)
}

/** `whole` where the name is not known. */
export function decodeEntity(whole: string, name: string): string {
  if (name[0] !== '#') return NAMED.get(name) ?? whole
  const hex = name[1] === 'x' || name[1] === 'X'
  const code = hex ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  const surrogate = code >= 0xd800 && code <= 0xdfff
  return code > 0x10ffff || surrogate ? ' ' : String.fromCodePoint(code)
}
