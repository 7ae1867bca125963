import iconv from 'iconv-lite'
import { tableOf } from '../../model/table.ts'

/** Media type and charset parameter of an HTTP Content-Type, lower case; both null where absent. */
export interface ContentType {
  readonly mediaType: string | null
  readonly charset: string | null
}

const NO_CONTENT_TYPE: ContentType = { mediaType: null, charset: null }
const HEADER_LIMIT = 256
// RFC 9110 §5.6.6 allows no spaces around `=`, and no single quotes; servers send both.
const CHARSET_PARAMETER = /;\s{0,9}charset\s{0,9}=\s{0,9}["']?\s{0,9}([a-z0-9_.:+-]{1,40})/

export function readContentType(header: string | null): ContentType {
  if (header === null) return NO_CONTENT_TYPE
  const text = header.slice(0, HEADER_LIMIT).trim().toLowerCase()
  const semicolon = text.indexOf(';')
  const mediaType = (semicolon < 0 ? text : text.slice(0, semicolon)).trim() || null
  const charset = semicolon < 0 ? null : (CHARSET_PARAMETER.exec(text)?.[1] ?? null)
  return { mediaType, charset }
}

/** RFC 3023 §8: what may carry XML. JSON Feed's types are welcome too. */
export function carriesFeeds(mediaType: string): boolean {
  if (mediaType.endsWith('+xml') || mediaType.endsWith('/xml') || mediaType.startsWith('application/xml')) return true
  if (mediaType.startsWith('text/xml')) return true
  return mediaType.endsWith('/json') || mediaType.endsWith('+json')
}

const DECLARATION = /^\s{0,64}<\?xml\s[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']\s{0,9}([a-z0-9_.:+-]{1,40})/i

/** The encoding named in an XML declaration; `head` is the start of the document with its ASCII readable. */
export function declaredInXml(head: string): string | null {
  return DECLARATION.exec(head)?.[1]?.toLowerCase() ?? null
}

const META = /<meta\s[^>]{0,400}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([a-z0-9_.:+-]{1,40})/i

/** The charset named by a page's first meta element that names one. */
export function declaredInMeta(head: string): string | null {
  return META.exec(head)?.[1]?.toLowerCase() ?? null
}

// Names that iconv-lite does not know, or that a superset reads better (Encoding Standard §4.2).
const ALIASES = tableOf<string>({
  utf8: 'utf-8',
  'utf-8n': 'utf-8',
  unicode: 'utf-16',
  utf16: 'utf-16',
  utf_16: 'utf-16',
  u16: 'utf-16',
  'ucs-2': 'utf-16',
  'iso-10646-ucs-2': 'utf-16',
  utf32: 'utf-32',
  utf_32: 'utf-32',
  u32: 'utf-32',
  'ucs-4': 'utf-32',
  'iso-10646-ucs-4': 'utf-32',
  ascii: 'us-ascii',
  'ansi_x3.4-1968': 'us-ascii',
  gb2312: 'gb18030',
  gbk: 'gb18030',
  cp936: 'gb18030',
  'x-gbk': 'gb18030',
  'gb_2312-80': 'gb18030',
  'x-sjis': 'shift_jis',
  sjis: 'shift_jis',
  'shift-jis': 'shift_jis',
  'windows-31j': 'shift_jis',
  eucjp: 'euc-jp',
  'x-euc-jp': 'euc-jp',
  euckr: 'euc-kr',
  'ks_c_5601-1987': 'euc-kr',
  latin1: 'iso-8859-1',
  'latin-1': 'iso-8859-1',
  iso8859_1: 'iso-8859-1',
  'iso8859-1': 'iso-8859-1',
  cp1252: 'windows-1252',
  'cp-1252': 'windows-1252',
  'x-cp1252': 'windows-1252',
  cp1251: 'windows-1251',
  'cp-1251': 'windows-1251',
  'win-1251': 'windows-1251',
})

export function canonicalCharset(name: string): string {
  return ALIASES[name] ?? name
}

// Known to the ICU inside Node but not to iconv-lite. Stateful, hence never tried on a guess.
const BY_TEXT_DECODER = new Set(['iso-2022-jp', 'iso-2022-kr', 'x-mac-cyrillic', 'hz-gb-2312'])

/** EBCDIC's code pages (IBM CDRA), as `cp037`, `IBM-1047`, `CCSID01140`, `csIBM273`. */
const EBCDIC_PAGES =
  '37|27[3-578]|28[0145]|290|297|42[034]|500|83[368]|87[015]|880|905|918|924|93[013579]|102[5-7]|1047|1097|1112|112[23]|113[027]|114\\d|115[3-8]|116[04]|1364|1371|1388|139[09]'

/** Nobody writes feeds in these, but attackers hide markup in UTF-7 (Encoding Standard §4.2 leaves it out, too). */
const REFUSED = new RegExp(
  `^(?:x?(?:cs)?(?:unicode(?:11|20))?utf7(?:imap)?|cp65000|.*ebcdic.*|x?(?:cs)?(?:ibm|cp|ccsid)0*(?:${EBCDIC_PAGES}))$`,
)

export function isRefusedCharset(name: string): boolean {
  return REFUSED.test(name.replace(/[^a-z0-9]/g, ''))
}

export function isKnownCharset(name: string): boolean {
  return iconv.encodingExists(name) || BY_TEXT_DECODER.has(name)
}

/** Decodes with any charset but UTF-8. Bytes without a meaning become U+FFFD. */
export function decodeAs(bytes: Buffer, charset: string): string {
  if (BY_TEXT_DECODER.has(charset)) return decodeByIcu(bytes, charset)
  // Browsers and publishers alike mean windows-1252 by ISO 8859-1 (Encoding Standard §4.2): C1 controls are no text.
  if (charset === 'iso-8859-1' || charset === 'windows-1252') return decodeWindows1252(bytes)
  return iconv.decode(bytes, charset, { stripBOM: false })
}

function decodeByIcu(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    // A Node built without full ICU.
    return decodeWindows1252(bytes)
  }
}

// 0x80 to 0x9F of windows-1252; the five unassigned bytes keep their number, as in the Encoding Standard's index.
export const WINDOWS_1252_HIGH =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178'

const C1 = /[\x80-\x9f]/g

export function decodeWindows1252(bytes: Buffer): string {
  const latin1 = bytes.toString('latin1', 0, bytes.length)
  return latin1.replace(C1, (c) => WINDOWS_1252_HIGH[c.charCodeAt(0) - 0x80] as string)
}
