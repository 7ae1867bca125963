import { Parser } from 'htmlparser2'
import { parseUrl } from '../runtime/parse-url.ts'
import { DepthGuard } from './sanitize-depth.ts'
import { safeValue } from './sanitize-policy.ts'

/** What is shown inside an article but lives elsewhere, and the attributes that say where. */
const ADDRESSES: ReadonlyMap<string, readonly string[]> = new Map([
  ['iframe', ['src', 'data-src', 'data-lazy-src']],
  ['frame', ['src']],
  ['embed', ['src']],
  ['object', ['data']],
  ['amp-iframe', ['src']],
])

/** Names of `param` that say where an `object` has its film. */
const PARAMS = new Set(['movie', 'src', 'url', 'filename'])

const ANY = /<(?:iframe|frame|embed|object|amp-iframe)[\s/>]/i

/** As XHTML closes what is empty; to HTML the rest of the article would be inside. */
const CLOSED_AT_ONCE = /<iframe((?:\s(?:[^<>"']|"[^"]*"|'[^']*')*)?)\/>/gi

/**
 * Replaces what is embedded by links, so that a reader sees where it is; nothing of another site is loaded. What an `object` has
 * for browsers that cannot show it stays. The result is as unsafe as before: the sanitiser has yet to look at it.
 */
export function linkEmbeds(html: string, base: string | null): string {
  let done = ''
  let rest = html
  for (let round = 0; round < MOST_UNCLOSED && ANY.test(rest); round++) {
    const finder = new EmbedFinder(rest.replace(CLOSED_AT_ONCE, '<iframe$1></iframe>'), base)
    done += finder.linked
    rest = finder.rest
  }
  return done + rest
}

const MOST_UNCLOSED = 50

type Attributes = Readonly<Record<string, string | undefined>>

/** A stretch of the HTML and its replacement. */
interface Edit {
  readonly start: number
  end: number
  text: string
}

/** One pass. An `iframe` that is never closed ends it: what follows was not meant to be inside. */
class EmbedFinder {
  readonly linked: string
  readonly rest: string
  private readonly base: string | null
  private readonly edits: Edit[] = []
  /** Those of the objects that are open. */
  private readonly objects: Edit[] = []
  private readonly parser: Parser
  private frame: Edit | null = null
  private unclosedAt = -1

  constructor(html: string, base: string | null) {
    this.base = base
    const guard = new DepthGuard()
    this.parser = new Parser({
      onopentag: (tag, attributes) => {
        guard.enter()
        this.open(tag, attributes)
      },
      onclosetag: (tag, isImplied) => {
        guard.leave()
        this.close(tag, isImplied)
      },
    })
    this.parser.end(html)
    const end = this.unclosedAt < 0 ? html.length : this.unclosedAt
    this.linked = applied(html.slice(0, end), this.edits)
    this.rest = html.slice(end)
  }

  private open(tag: string, attributes: Attributes): void {
    const object = this.objects.at(-1)
    if (tag === 'param' && object?.text === '' && PARAMS.has(attributes['name']?.toLowerCase() ?? '')) {
      object.text = linkTo([attributes['value']], undefined, this.base)
    }
    const names = ADDRESSES.get(tag)
    if (names === undefined) return
    const text = linkTo(
      names.map((name) => attributes[name]),
      attributes['title'],
      this.base,
    )
    const edit = { start: this.parser.startIndex, end: this.parser.endIndex + 1, text }
    this.edits.push(edit)
    if (tag === 'iframe') this.frame = edit
    if (tag === 'object') this.objects.push(edit)
    // An embed inside an object is the same film for other browsers.
    if (tag !== 'embed' || object === undefined) return
    if (object.text === '') object.text = text
    edit.text = ''
  }

  private close(tag: string, isImplied: boolean): void {
    if (tag === 'object') this.objects.pop()
    if (tag !== 'iframe' || this.frame === null) return
    // What is inside is for browsers that know no frames.
    if (!isImplied) this.frame.end = this.parser.endIndex + 1
    else this.unclosedAt = this.frame.end
    this.frame = null
  }
}

function applied(html: string, edits: readonly Edit[]): string {
  let out = ''
  let from = 0
  for (const { start, end, text } of edits) {
    out += html.slice(from, start) + text
    from = end
  }
  return out + html.slice(from)
}

const NOWHERE = 'https://unknown.invalid/'

/** A link to the first address that is one; '' where there is none. */
function linkTo(addresses: readonly (string | undefined)[], title: string | undefined, base: string | null): string {
  for (const address of addresses) {
    const href = address === undefined ? null : safeValue('url', address, base)
    const url = href === null ? null : parseUrl(href, NOWHERE)
    if (href === null || url === null || !/^https?:$/.test(url.protocol)) continue
    const path = url.pathname === '/' ? '' : url.pathname
    const label = url.origin === new URL(NOWHERE).origin ? path || href : `${url.host}${path}`
    return `<a href="${escapeHtml(href)}">${escapeHtml(title?.trim() || label)}</a>`
  }
  return ''
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
