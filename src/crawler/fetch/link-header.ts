import { parseUrl } from '../../runtime/parse-url.ts'

/** One link of a Link field (RFC 8288): where to, the relations it names, and of what type it is said to be. */
export interface HeaderLink {
  readonly url: string
  /** Lower case. */
  readonly rels: readonly string[]
  /** Lower case; '' where it names none. */
  readonly type: string
}

const MOST_LINKS = 50
// <target> and its parameters; a quoted value may hold commas, semicolons and escaped quotes (RFC 8288 §3, RFC 9110 §5.6.4).
const LINK = /<([^>]*)>((?:\s*;\s*[^\s;,="]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)/g
const PARAMETER = /;\s*([^\s;,="]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g

/** Links of a field, its lines joined by commas; those that lead nowhere on the web are left out. */
export function linksIn(field: string, base: string): HeaderLink[] {
  const links: HeaderLink[] = []
  for (const [, target = '', parameters = ''] of field.matchAll(LINK)) {
    if (links.length >= MOST_LINKS) break
    const rels = parameterOf('rel', parameters).split(/\s+/).filter(Boolean)
    const url = rels.length === 0 ? null : parseUrl(target, base)
    if (url?.protocol === 'http:' || url?.protocol === 'https:')
      links.push({ url: url.href, rels, type: parameterOf('type', parameters) })
  }
  return links
}

/** In lower case, '' where it is absent; only the first of a name counts (§3.3). */
function parameterOf(wanted: string, parameters: string): string {
  for (const [, name = '', quoted, plain] of parameters.matchAll(PARAMETER)) {
    if (name.toLowerCase() !== wanted) continue
    return (quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '').toLowerCase()
  }
  return ''
}
