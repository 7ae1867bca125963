import { tableOf } from '../../model/table.ts'
import { detach } from '../../text/strings.ts'

/** Short name of a namespace in our tables. '' is that of the feed itself (RSS, Atom, CDF); '?' one we do not know. */
export type NamespaceKey = string

const CORE = ''
const UNKNOWN = '?'

/**
 * Namespaces as feeds really write them, in lower case without a final slash or `#`: publishers vary all of these.
 * Every version of RSS and Atom is one vocabulary to us; `atom` inside RSS is separated by the tables, not here.
 */
const KNOWN = tableOf<readonly string[]>({
  rss: [
    'http://backend.userland.com/rss',
    'http://backend.userland.com/rss2',
    'http://backend.userland.com/rss091',
    'http://backend.userland.com/rss092',
    'http://backend.userland.com/rss191',
    'http://blogs.law.harvard.edu/tech/rss',
    'http://cyber.law.harvard.edu/rss',
    'http://cyber.law.harvard.edu/rss/rss.html',
    'http://www.rssboard.org/rss-specification',
    'http://purl.org/rss/1.0',
    'http://purl.org/rss/1.0/modules/rss091',
    'http://purl.org/net/rss1.1',
    'http://my.netscape.com/rdf/simple/0.9',
    'http://channel.netscape.com/rdf/simple/0.9',
    'http://my.netscape.com/publish/formats/rss-0.91.dtd',
  ],
  atom: [
    'http://www.w3.org/2005/atom',
    'http://purl.org/atom/ns',
    'http://purl.org/pie',
    'http://purl.org/echo',
    'http://example.com/newformat',
    'http://example.com/necho',
    'uri/of/echo/namespace',
  ],
  xml: ['http://www.w3.org/xml/1998/namespace'],
  xhtml: ['http://www.w3.org/1999/xhtml'],
  svg: ['http://www.w3.org/2000/svg'],
  mathml: ['http://www.w3.org/1998/math/mathml'],
  xlink: ['http://www.w3.org/1999/xlink'],
  rdf: ['http://www.w3.org/1999/02/22-rdf-syntax-ns'],
  dc: ['http://purl.org/dc/elements/1.1', 'http://purl.org/dc/elements/1.0'],
  dcterms: ['http://purl.org/dc/terms'],
  content: ['http://purl.org/rss/1.0/modules/content'],
  payload: ['http://purl.org/net/rss1.1/payload'],
  sy: ['http://purl.org/rss/1.0/modules/syndication'],
  slash: ['http://purl.org/rss/1.0/modules/slash'],
  taxo: ['http://purl.org/rss/1.0/modules/taxonomy'],
  wfw: ['http://wellformedweb.org/commentapi'],
  thr: ['http://purl.org/syndication/thread/1.0'],
  fh: ['http://purl.org/syndication/history/1.0'],
  media: ['http://search.yahoo.com/mrss', 'http://tools.search.yahoo.com/mrss', 'http://www.rssboard.org/media-rss'],
  itunes: ['http://www.itunes.com/dtds/podcast-1.0.dtd', 'http://example.com/dtds/podcast-1.0.dtd'],
  googleplay: ['http://www.google.com/schemas/play-podcasts/1.0'],
  podcast: [
    'https://podcastindex.org/namespace/1.0',
    'http://podcastindex.org/namespace/1.0',
    'https://github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md',
  ],
  psc: ['http://podlove.org/simple-chapters'],
  georss: ['http://www.georss.org/georss'],
  gml: ['http://www.opengis.net/gml'],
  geo: ['http://www.w3.org/2003/01/geo/wgs84_pos'],
  cc: [
    'http://web.resource.org/cc',
    'http://creativecommons.org/ns',
    'http://cyber.law.harvard.edu/rss/creativecommonsrssmodule.html',
  ],
  creativecommons: ['http://backend.userland.com/creativecommonsrssmodule'],
  feedburner: ['http://rssnamespace.org/feedburner/ext/1.0'],
  source: ['http://source.scripting.com', 'http://source.smallpict.com/2014/07/12/theopmlnamespace.html'],
  opensearch: ['http://a9.com/-/spec/opensearch/1.1', 'http://a9.com/-/spec/opensearchrss/1.0'],
  snf: ['http://www.smartnews.be/snf', 'http://www.smartnews.com/snf'],
  admin: ['http://webns.net/mvcb'],
  headwater: ['urn:headwater:provenance'],
})

const KEY_BY_URI: ReadonlyMap<string, NamespaceKey> = new Map(
  Object.entries(KNOWN).flatMap(([key, uris]) => uris.map((uri) => [uri, key] as const)),
)

function keyOfUri(uri: string): NamespaceKey {
  const plain = uri.trim()
  if (plain === '') return CORE
  let key = plain.toLowerCase().replace(/[/#]+$/, '')
  const found = KEY_BY_URI.get(key)
  if (found !== undefined) return found
  // Subversions such as podcast-1.0.dtd with another scheme.
  key = key.replace(/^https:/, 'http:')
  return KEY_BY_URI.get(key) ?? UNKNOWN
}

/** A qualified name as the tables know it. */
export interface ResolvedName {
  /** `title` in the feed's own namespace, else `dc:creator`; lower case. */
  readonly key: string
  readonly namespace: NamespaceKey
  /** Without prefix, as written. */
  readonly local: string
  readonly declared: boolean
}

/** [prefix, URI] */
export type Declarations = readonly (readonly [string, string])[]

const XML_ITSELF: Declarations = [['xml', 'http://www.w3.org/xml/1998/namespace']]

/** The namespace of the root element: whatever it is, its names are the feed's own. */
interface Root {
  readonly namespace: NamespaceKey
  readonly uri: string | undefined
  /** Called `feed` or `entry`: Atom's names are its own, whatever the root's namespace. */
  readonly isAtom: boolean
}

/**
 * The declarations in force at one place of a document, with the names already seen there. Scopes never change and are
 * shared by all documents that declare the same: most feeds come from a few generators.
 */
export class NamespaceScope {
  private readonly outer: NamespaceScope | null
  private readonly declarations: Declarations
  private readonly root: Root
  private readonly names = new Map<string, ResolvedName>()
  private readonly inner = new Map<string, NamespaceScope>()
  private lastInner: NamespaceScope | null = null

  private constructor(outer: NamespaceScope | null, declarations: Declarations, root: Root) {
    this.outer = outer
    this.declarations = declarations
    this.root = root
  }

  static outermost(): NamespaceScope {
    if (outermost === null || remembered > MOST_REMEMBERED) {
      remembered = 0
      outermost = new NamespaceScope(null, XML_ITSELF, { namespace: 'rss', uri: '', isAtom: false })
    }
    return outermost
  }

  declare(declarations: Declarations): NamespaceScope {
    // Texts with elements of their own repeat one declaration for each.
    if (this.lastInner !== null && sameDeclarations(this.lastInner.declarations, declarations)) return this.lastInner
    // Scopes are shared by documents: no address may look like the declarations of another feed.
    const id = JSON.stringify(declarations)
    this.lastInner = this.inner.get(id) ?? this.keep(id, new NamespaceScope(this, detached(declarations), this.root))
    return this.lastInner
  }

  /** Makes the namespace of this name, that of the root element, the feed's own. */
  withRoot(name: string): NamespaceScope {
    const { namespace, local } = this.resolve(name)
    const isAtom = /^(?:feed|entry)$/i.test(local)
    const colon = name.indexOf(':')
    const uri = this.uriOf(colon < 0 ? '' : name.slice(0, colon))
    const id = JSON.stringify(['root', namespace, uri ?? '', isAtom])
    return this.inner.get(id) ?? this.keep(id, new NamespaceScope(this, [], { namespace, uri, isAtom }))
  }

  /** By prefix; '' is the default namespace. */
  uriOf(prefix: string): string | undefined {
    for (let scope: NamespaceScope | null = this; scope !== null; scope = scope.outer) {
      for (const [declared, uri] of scope.declarations) if (declared === prefix) return uri
    }
    return undefined
  }

  /** Whether any declaration in force has a URI like this. */
  someUri(test: (uri: string) => boolean): boolean {
    return this.declarations.some(([, uri]) => test(uri)) || (this.outer?.someUri(test) ?? false)
  }

  resolve(name: string): ResolvedName {
    let resolved = this.names.get(name)
    if (resolved === undefined) {
      const detached = detach(name)
      resolved = this.lookUp(detached)
      if (remembered++ < 2 * MOST_REMEMBERED) this.names.set(detached, resolved)
    }
    return resolved
  }

  private keep(id: string, scope: NamespaceScope): NamespaceScope {
    if (remembered++ < 2 * MOST_REMEMBERED) this.inner.set(id, scope)
    return scope
  }

  private lookUp(name: string): ResolvedName {
    const colon = name.indexOf(':')
    const prefix = colon < 0 ? '' : name.slice(0, colon)
    const local = name.slice(colon + 1)
    const uri = this.uriOf(prefix)
    const named = uri === undefined ? UNKNOWN : keyOfUri(uri)
    // An undeclared prefix, or one declared as something unknown, means what it always means.
    const namespace = named === UNKNOWN ? usualMeaning(prefix, uri) : named
    const lower = local.toLowerCase()
    const key = this.isOwn(namespace, uri, prefix === '')
      ? lower
      : `${namespace === UNKNOWN ? `?${prefix}` : namespace}:${lower}`
    return { key, namespace, local, declared: uri !== undefined || prefix === '' }
  }

  /** Names without a prefix under an unknown default namespace are the feed's own, too: a slip in its address. */
  private isOwn(namespace: NamespaceKey, uri: string | undefined, isUnprefixed: boolean): boolean {
    if (namespace === CORE || namespace === 'rss') return true
    if (namespace === 'rdf') return false
    if (namespace === 'atom' && this.root.isAtom) return true
    if (namespace !== UNKNOWN) return namespace === this.root.namespace
    return uri !== undefined && (uri === this.root.uri || isUnprefixed)
  }
}

function sameDeclarations(some: Declarations, others: Declarations): boolean {
  if (some.length !== others.length) return false
  for (let i = 0; i < some.length; i++) {
    if (some[i]?.[0] !== others[i]?.[0] || some[i]?.[1] !== others[i]?.[1]) return false
  }
  return true
}

function detached(declarations: Declarations): Declarations {
  return declarations.map(([prefix, uri]) => [detach(prefix), detach(uri)])
}

// A document cannot fill the memory with names: beyond this the next one starts with none.
const MOST_REMEMBERED = 5_000
let remembered = 0
let outermost: NamespaceScope | null = null

function usualMeaning(prefix: string, uri: string | undefined): NamespaceKey {
  const lower = prefix.toLowerCase()
  if (lower === '') return uri === undefined ? CORE : UNKNOWN
  return Object.hasOwn(KNOWN, lower) ? lower : UNKNOWN
}
