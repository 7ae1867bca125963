/** One link of a Link field (RFC 8288): where to, and the relations it names. */
export interface HeaderLink {
  readonly url: string
  /** Lower case. */
  readonly rels: readonly string[]
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
    const rels = relationsOf(parameters)
    if (rels.length === 0 || !URL.canParse(target, base)) continue
    const { href, protocol } = new URL(target, base)
    if (protocol === 'http:' || protocol === 'https:') links.push({ url: href, rels })
  }
  return links
}

/** Only the first `rel` counts (§3.3). */
function relationsOf(parameters: string): string[] {
  for (const [, name = '', quoted, plain] of parameters.matchAll(PARAMETER)) {
    if (name.toLowerCase() !== 'rel') continue
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? ''
    return value.toLowerCase().split(/\s+/).filter(Boolean)
  }
  return []
}
