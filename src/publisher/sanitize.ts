import sanitizeWithTags, { type Attributes, type IOptions, type Tag } from 'sanitize-html'
import { isPlainlyHarmless } from './sanitize-grammar.ts'
import { ALLOWED_TAGS, attributesOf, SAFE_SCHEMES, safeValue, VOID_TAGS } from './sanitize-policy.ts'

/**
 * HTML that is safe to show and to publish (see sanitize-policy.ts). What is harmless and complete as it stands comes
 * back unchanged, byte for byte; anything else is taken apart and written anew, with addresses resolved against
 * `baseUrl` where one is known. Never throws.
 */
export function sanitizeHtml(html: string, baseUrl?: string | null): string {
  const base = usableBase(baseUrl)
  if (isPlainlyHarmless(html, base === null)) return html
  try {
    return sanitizeWithTags(html, optionsFor(base))
  } catch (error) {
    if (error instanceof TooDeep) return textAlone(html)
    throw error
  }
}

// Parsing takes time in proportion to length times depth: 50,000 nested tags took 2 to 5 s. Real content stays below 50.
const MOST_OPEN = 1_000

class TooDeep extends Error {}

/** Ends the work once more elements are open than any real document has. */
function depthGuard(): Pick<IOptions, 'onOpenTag' | 'onCloseTag'> {
  let open = 0
  return {
    onOpenTag() {
      open += 1
      if (open > MOST_OPEN) throw new TooDeep()
    },
    onCloseTag() {
      open -= 1
    },
  }
}

/** Without any `<` there is no markup left. */
function textAlone(html: string): string {
  return html.replace(/<[^>]*>?/g, ' ')
}

function usableBase(baseUrl: string | null | undefined): string | null {
  return baseUrl && /^https?:\/\//i.test(baseUrl) && URL.canParse(baseUrl) ? baseUrl : null
}

// Elements whose content is no text for readers. The content of any other unknown element stays.
const WITHOUT_CONTENT =
  'script style textarea option select xmp svg annotation annotation-xml iframe template title noembed noframes plaintext applet'

const SHARED_OPTIONS: IOptions = {
  allowedTags: [...ALLOWED_TAGS],
  allowedAttributes: Object.fromEntries(ALLOWED_TAGS.map((tag) => [tag, [...(attributesOf(tag)?.keys() ?? [])]])),
  nonTextTags: WITHOUT_CONTENT.split(' '),
  selfClosing: [...VOID_TAGS],
  allowedSchemes: [...SAFE_SCHEMES],
  allowedSchemesByTag: { img: [...SAFE_SCHEMES, 'data'], video: [...SAFE_SCHEMES, 'data'] },
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite', 'poster'],
  allowProtocolRelative: true,
  // Our own filter has judged styles; the built-in one parses a whole style sheet for each.
  parseStyleAttributes: false,
  // Browsers stop nesting at 512; deeper content stays, its tags go.
  nestingLimit: 100,
  exclusiveFilter: (frame) => frame.tag === 'img' && !frame.attribs['src'] && !frame.attribs['srcset'],
}

function optionsFor(base: string | null): IOptions {
  return {
    ...SHARED_OPTIONS,
    ...depthGuard(),
    transformTags: {
      iframe: (tagName, { src }) => embedLink(tagName, src, base),
      embed: (tagName, { src }) => embedLink(tagName, src, base),
      object: (tagName, { data }) => embedLink(tagName, data, base),
      '*': (tagName, attribs) => ({ tagName, attribs: filterAttributes(tagName, attribs, base) }),
    },
  }
}

const NOWHERE = 'https://unknown.invalid/'

/** A film or a map of another site is not loaded, but the reader sees where it is. */
function embedLink(tagName: string, address: string | undefined, base: string | null): Tag {
  const href = address === undefined ? null : safeValue('url', address, base)
  const url = href !== null && URL.canParse(href, NOWHERE) ? new URL(href, NOWHERE) : null
  const isElsewhere = url !== null && /^https?:$/.test(url.protocol) && url.host !== new URL(NOWHERE).host
  if (href === null || !isElsewhere) return { tagName, attribs: {} }
  return { tagName: 'a', attribs: { href }, text: `${url.host}${url.pathname === '/' ? '' : url.pathname}` }
}

function filterAttributes(tag: string, attribs: Attributes, base: string | null): Attributes {
  const kinds = attributesOf(tag)
  const kept: Attributes = {}
  if (kinds === undefined) return kept
  for (const [name, value] of Object.entries(attribs)) {
    const kind = kinds.get(name)
    const safe = kind === undefined ? null : safeValue(kind, value, base)
    if (safe !== null) kept[name] = safe
  }
  return kept
}
