import { parseUrl } from '../../../runtime/parse-url.ts'
import type { Wall } from '../../article.ts'
import { articleProperty, type DocumentFacts, metaOf } from '../metadata/page-facts.ts'

/** A text of this length is an article, whatever else the page says. */
const WHOLE_ARTICLE = 2_500
/** A notice about cookies is shorter. */
const LONGEST_NOTICE = 3_000

const CONSENT_HOST = /^(?:consent|cookie|cmp|privacy|gdpr)[.-]/i
const CONSENT_WORDS =
  /\b(?:cookies?|consent|gdpr|partners? (?:store|process)|personal(?:ised|ized) ads|legitimate interest|privacy (?:policy|choices)|datenschutz|einwilligung|zustimmen|verarbeitung|consentement|privacidad|toestemming|samtycke)\b/gi
const PAYWALL_WORDS =
  /subscribe (?:now )?to (?:continue|read|keep)|(?:to continue|continue|keep) reading|already a subscriber|subscribers? only|for subscribers|this (?:article|content) is (?:for|reserved)|become a (?:member|subscriber)|weiterlesen mit|jetzt (?:abonnieren|testen)|nur für abonnenten|réservé aux abonnés|abonnez-vous|suscríbete|sólo para suscriptores|abonnati|abbonati|voor abonnees|только для подписчиков|有料会員|会員限定|この記事は有料/i

/** Whether what is seen is not the article: somebody stands in front of it. */
export function wallOf(facts: DocumentFacts, text: string): Wall | null {
  if (isConsentPage(facts, text)) return 'consent'
  if (text.length >= WHOLE_ARTICLE) return null
  const isCut = /(?:…|\.\.\.|\[…\])\s*$/.test(text) || PAYWALL_WORDS.test(facts.pageText)
  return isCut && (isDeclaredPaid(facts) || hasPaywall(facts, text)) ? 'paywall' : null
}

function isConsentPage({ url }: DocumentFacts, text: string): boolean {
  if (CONSENT_HOST.test(parseUrl(url)?.hostname ?? '') && text.length < LONGEST_NOTICE) return true
  if (text.length === 0 || text.length > LONGEST_NOTICE) return false
  const mentions = text.match(CONSENT_WORDS)?.length ?? 0
  // More than one mention in forty words: an article about cookies has fewer.
  return mentions >= 3 && mentions > text.split(/\s+/).length / 40
}

function isDeclaredPaid(facts: DocumentFacts): boolean {
  const isFree = articleProperty(facts, 'isAccessibleForFree')
  if (isFree === false || (typeof isFree === 'string' && /false$/i.test(isFree))) return true
  return /^(?:locked|premium|paid)$/i.test(metaOf(facts, 'article:content_tier', 'article:opinion_tier') ?? '')
}

function hasPaywall({ document }: DocumentFacts, text: string): boolean {
  const marked = document.querySelector(
    '[class*="paywall" i], [id*="paywall" i], [class*="piano-"], [class*="regwall" i]',
  )
  return marked !== null || (text.length < WHOLE_ARTICLE / 2 && PAYWALL_WORDS.test(text))
}
