import type Sanitize from 'sanitize-html'
import type { Attributes, IOptions } from 'sanitize-html'
import { loadLater } from '../runtime/load-later.ts'
import { parseUrl } from '../runtime/parse-url.ts'
import { linkEmbeds } from './embeds.ts'
import { isPixel } from './pixel.ts'
import { DepthGuard, TooDeep } from './sanitize-depth.ts'
import { isPlainlyHarmless } from './sanitize-grammar.ts'
import { ALLOWED_TAGS, attributesOf, SAFE_SCHEMES, safeValue, VOID_TAGS } from './sanitize-policy.ts'

const sanitizer = loadLater<typeof Sanitize>('sanitize-html')

/**
 * HTML that is safe to show and to publish (see sanitize-policy.ts). What is harmless and complete as it stands comes
 * back unchanged, byte for byte; anything else is taken apart and written again, with addresses resolved against
 * `baseUrl` where one is known. Never throws.
 */
export function sanitizeHtml(html: string, baseUrl?: string | null): string {
  const base = usableBase(baseUrl)
  if (isPlainlyHarmless(html, base === null)) return html
  try {
    return sanitizer()(linkEmbeds(html, base), optionsFor(base))
  } catch (error) {
    if (error instanceof TooDeep) return textAlone(html)
    throw error
  }
}

function depthGuard(): Pick<IOptions, 'onOpenTag' | 'onCloseTag'> {
  const guard = new DepthGuard()
  return { onOpenTag: () => guard.enter(), onCloseTag: () => guard.leave() }
}

/** Without any `<` there is no markup left. */
function textAlone(html: string): string {
  return html.replace(/<[^>]*>?/g, ' ')
}

function usableBase(baseUrl: string | null | undefined): string | null {
  return baseUrl && /^https?:\/\//i.test(baseUrl) && parseUrl(baseUrl) !== null ? baseUrl : null
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
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && ((!attribs['src'] && !attribs['srcset']) || isPixel(attribs)),
}

function optionsFor(base: string | null): IOptions {
  return {
    ...SHARED_OPTIONS,
    ...depthGuard(),
    transformTags: {
      '*': (tagName, attribs) => ({ tagName, attribs: filterAttributes(tagName, attribs, base) }),
    },
  }
}

function filterAttributes(tag: string, attribs: Attributes, base: string | null): Attributes {
  const kinds = attributesOf(tag)
  const attributes: Attributes = {}
  if (kinds === undefined) return attributes
  for (const [name, value] of Object.entries(attribs)) {
    const kind = kinds.get(name)
    const safe = kind === undefined ? null : safeValue(kind, value, base)
    if (safe !== null) attributes[name] = safe
  }
  return attributes
}
