// `[^<>]*` and not `[^>]*`: a run of unclosed `<a<a<a` would else be rescanned to the end from each `<` (quadratic).
const TAG = /<[/!?a-z][^<>]*>/gi
const ENTITY = /&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,8}[0-9]{0,2});/gi
const SILENT = ['script', 'style'] as const

// The names that feeds really use; whatever else there is stays as it is and costs a search hit, never an item.
const NAMED: Readonly<Record<string, string>> = {
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
}

/**
 * The words of a piece of HTML or plain text, for the full-text index and for nothing else: tags become spaces, what a
 * browser would not show (scripts, styles) goes, common entities are decoded. Linear in the length of the text.
 */
export function stripMarkup(text: string): string {
  let plain = text
  if (plain.includes('<')) {
    for (const name of SILENT) plain = dropElement(plain, name)
    plain = plain.replace(TAG, ' ')
  }
  return plain.includes('&') ? plain.replace(ENTITY, decodeEntity) : plain
}

function dropElement(text: string, name: string): string {
  const open = new RegExp(`<${name}\\b`, 'gi')
  const close = new RegExp(`</${name}`, 'gi')
  let kept = ''
  let from = 0
  for (let match = open.exec(text); match !== null; match = open.exec(text)) {
    kept += text.slice(from, match.index)
    close.lastIndex = match.index
    const end = close.exec(text)
    if (end === null) return `${kept} `
    from = end.index
    open.lastIndex = end.index
  }
  return kept + text.slice(from)
}

function decodeEntity(whole: string, name: string): string {
  if (name[0] !== '#') return NAMED[name] ?? whole
  const hex = name[1] === 'x' || name[1] === 'X'
  const code = hex ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  const surrogate = code >= 0xd800 && code <= 0xdfff
  return code > 0x10ffff || surrogate ? ' ' : String.fromCodePoint(code)
}
