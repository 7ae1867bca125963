/*
 * JSON-LD as pages have it: arrays, graphs, references by @id, JSON with raw line breaks. Read as plain data; no context is resolved,
 * for all of it is schema.org.
 */

export type JsonLdNode = Readonly<Record<string, unknown>>

const MOST_NODES = 2_000
const DEEPEST = 12

/** All nodes that stand in the scripts, those within others included. */
export function readJsonLd(scripts: readonly string[]): readonly JsonLdNode[] {
  const found: JsonLdNode[] = []
  const visit = (value: unknown, depth: number): void => {
    if (depth > DEEPEST || found.length >= MOST_NODES) return
    if (Array.isArray(value)) for (const one of value) visit(one, depth + 1)
    else if (isNode(value)) {
      found.push(value)
      for (const one of Object.values(value)) if (typeof one === 'object') visit(one, depth + 1)
    }
  }
  for (const script of scripts) visit(parse(script), 0)
  return found
}

/** Also within a comment or CDATA, with control characters in texts, or with a semicolon behind it. */
function parse(script: string): unknown {
  const text = script.replace(
    /^\s*(?:<!--|\/\*\s*<!\[CDATA\[\s*\*\/|<!\[CDATA\[)|(?:-->|\/\*\s*\]\]>\s*\*\/|\]\]>|;)\s*$/g,
    '',
  )
  try {
    return JSON.parse(text)
  } catch {
    try {
      return JSON.parse(text.replace(/[\x00-\x1f]+/g, ' ').replace(/,\s*(?=[}\]])/g, ''))
    } catch {
      return null
    }
  }
}

function isNode(value: unknown): value is JsonLdNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const ARTICLE_TYPES =
  /(?:Article|BlogPosting|SocialMediaPosting|DiscussionForumPosting|LiveBlogPosting|Report|APIReference|Recipe|Review|QAPage|Question)$/

/** The node that the page is about: the only article, or that whose address or headline is the page's; null: none is. */
export function mainArticle(
  nodes: readonly JsonLdNode[],
  page: { readonly urls: readonly string[]; readonly title: string },
): JsonLdNode | null {
  const articles = nodes.filter((node) => typesOf(node).some((type) => ARTICLE_TYPES.test(type)))
  if (articles.length <= 1) return articles[0] ?? null
  const urls = new Set(page.urls.map(bare))
  const byAddress = articles.find((node) => addressesOf(node).some((url) => urls.has(bare(url))))
  const title = page.title.toLowerCase()
  const byHeadline = articles.find((node) => {
    const headline = ldText(node['headline']) ?? ldText(node['name'])
    return headline !== null && title.includes(headline.toLowerCase())
  })
  return byAddress ?? byHeadline ?? articles.find((node) => node['headline'] !== undefined) ?? null
}

function bare(url: string): string {
  return url.replace(/^https?:\/\/(?:www\.)?|[#?].*$|\/$/g, '')
}

function addressesOf(node: JsonLdNode): string[] {
  const main = node['mainEntityOfPage']
  const values = [node['url'], node['@id'], isNode(main) ? main['@id'] : main, isNode(main) ? main['url'] : null]
  return values.filter((value) => typeof value === 'string')
}

function typesOf(node: JsonLdNode): readonly string[] {
  const type = node['@type']
  return (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string')
}

/** A text, or the first of several. */
export function ldText(value: unknown): string | null {
  if (Array.isArray(value)) return ldText(value[0])
  if (isNode(value)) return ldText(value['@value'])
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

/** Texts of a list, or of one text with commas. */
export function ldTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => (typeof one === 'string' ? [one] : []))
  return typeof value === 'string' ? value.split(/[,;]/) : []
}

/** What a property holds, each reference replaced by the node that it refers to. */
export function nodesOf(value: unknown, nodes: readonly JsonLdNode[]): readonly (JsonLdNode | string)[] {
  const values = Array.isArray(value) ? value : [value]
  return values.flatMap((one): (JsonLdNode | string)[] => {
    if (typeof one === 'string') return [one]
    if (!isNode(one)) return []
    const id = one['@id']
    if (typeof id !== 'string' || Object.keys(one).length > 2) return [one]
    return [nodes.find((node) => node['@id'] === id && Object.keys(node).length > 2) ?? one]
  })
}
