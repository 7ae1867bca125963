/**
 * Content is made safe by the node before it is sent (src/publisher/sanitize-policy.ts). Here it is taken apart once
 * more: a tree of elements is built from this list alone, so that no markup of a stranger is ever handed to the
 * browser as markup. What is not on the list leaves its text; what is in SILENT leaves nothing.
 */
const TAGS = new Set(
  (
    'a abbr b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure h1 h2 h3 ' +
    'h4 h5 h6 hr i img ins kbd li mark ol p pre q rp rt ruby s samp section small span strong sub summary sup table tbody td ' +
    'tfoot th thead time tr u ul var article'
  ).split(' '),
)

const SILENT = new Set(
  'script style template iframe object embed svg math noscript title textarea select option form input button xmp noembed noframes plaintext head link meta base audio video source track canvas applet frame frameset portal'.split(
    ' ',
  ),
)

/** Headings of an item are below those of the page. */
const RENAMED: Readonly<Record<string, string>> = {
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  article: 'div',
  section: 'div',
}

export interface SafeElement {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly SafeNode[]
}

export type SafeNode = string | SafeElement

const DEEPEST = 100

/** `parse` makes a document that runs and loads nothing, as DOMParser does. */
export function safeTree(html: string, parse: (html: string) => Document): SafeNode[] {
  return childrenOf(parse(html).body, 0)
}

function childrenOf(parent: Node, depth: number): SafeNode[] {
  if (depth > DEEPEST) return [parent.textContent ?? '']
  return [...parent.childNodes].flatMap((node) => nodesOf(node, depth))
}

const ELEMENT = 1
const TEXT = 3
const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml'

function nodesOf(node: Node, depth: number): SafeNode[] {
  if (node.nodeType === TEXT) return [node.nodeValue ?? '']
  if (node.nodeType !== ELEMENT) return []
  const element = node as Element
  const tag = element.localName
  if (element.namespaceURI !== HTML_NAMESPACE || SILENT.has(tag)) return []
  const children = childrenOf(element, depth + 1)
  if (!TAGS.has(tag)) return children
  const attributes = attributesOf(element, tag)
  return attributes === null ? children : [{ tag: RENAMED[tag] ?? tag, attributes, children }]
}

/** null: the element has no sense without what it lacks. */
function attributesOf(element: Element, tag: string): Record<string, string> | null {
  if (tag === 'a') {
    const href = webAddress(element.getAttribute('href'))
    return href === null ? null : { href, target: '_blank', rel: 'noopener noreferrer nofollow ugc' }
  }
  if (tag === 'img') {
    const src = webAddress(element.getAttribute('src'))
    if (src === null) return null
    return {
      src,
      alt: element.getAttribute('alt') ?? '',
      loading: 'lazy',
      decoding: 'async',
      referrerPolicy: 'no-referrer',
    }
  }
  if (tag === 'td' || tag === 'th')
    return { ...span(element, 'colspan', 'colSpan'), ...span(element, 'rowspan', 'rowSpan') }
  return {}
}

const WIDEST_SPAN = 50

function span(element: Element, name: string, property: string): Record<string, string> {
  const cells = Number(element.getAttribute(name))
  return Number.isInteger(cells) && cells > 1 && cells <= WIDEST_SPAN ? { [property]: String(cells) } : {}
}

/** Absolute, of the web; never of this node itself, which would get requests with the reader's own rights. */
function webAddress(address: string | null): string | null {
  if (address === null || !URL.canParse(address.trim())) return null
  const url = new URL(address.trim())
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  if (url.username !== '' || url.password !== '') return null
  return url.href
}
