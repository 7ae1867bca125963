import { decodePage } from '../../../text/charset/charset.ts'
import type { ArticlePage, ExtractionFailure } from '../../article.ts'
import { MOST_PAGE_BYTES } from '../limits.ts'
import { absoluteAddress } from './addresses.ts'
import { type BuiltPage, buildPage, TooManyNodes } from './build.ts'
import type { DomDocument } from './dom.ts'
import { typeSays } from './html-type.ts'

export interface ReadPage extends BuiltPage {
  readonly url: string
  /** What relative addresses are relative to. */
  readonly base: string
  /** The same document as it was. */
  rebuild(): DomDocument
}

/** Bytes to a document, or why they are none. */
export function readDocument(page: ArticlePage): ReadPage | ExtractionFailure {
  if (page.body.length > MOST_PAGE_BYTES) return 'too-large'
  if (!isHtml(page)) return 'not-html'
  try {
    const html = decodePage(page.body, page.contentType).text
    const built = buildPage(html)
    const base = absoluteAddress(built.document.querySelector('base[href]')?.getAttribute('href'), page.url)
    return { ...built, url: page.url, base: base ?? page.url, rebuild: () => buildPage(html).document }
  } catch (error) {
    if (error instanceof TooManyNodes) return 'too-costly'
    throw error
  }
}

/** By its type where that says something; its first bytes have the last word, for films are served as text/html, too. */
function isHtml({ body, contentType }: ArticlePage): boolean {
  const says = typeSays(contentType)
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, HEAD_BYTES))
  if (hasForeignMagic(head)) return false
  return says === 'nothing' ? looksLikeHtml(head) : says === 'html'
}

const HEAD_BYTES = 1_024

/** PDF, PNG, GIF, JPEG, RIFF (WebP, AVI), ZIP (EPUB, Office), gzip, Matroska, Ogg, MP3, PostScript, ISO media (MP4, AVIF). */
const MAGIC =
  /^(?:\s{0,64}%PDF-|\x89PNG|GIF8|\xff\xd8\xff|RIFF|PK\x03\x04|\x1f\x8b|\x1aE\xdf\xa3|OggS|ID3|%!PS|[\s\S]{4}ftyp)/

function hasForeignMagic(head: Buffer): boolean {
  return MAGIC.test(head.toString('latin1'))
}

const HTML_BEGINNING = /<(?:!doctype\s+html|html|head|body|title|meta|div|p|article|main|table|h[1-6])[\s>]/i

function looksLikeHtml(head: Buffer): boolean {
  return HTML_BEGINNING.test(head.toString('latin1').replaceAll('\0', ''))
}
