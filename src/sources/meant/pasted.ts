import { HeadwaterError } from '../../runtime/errors.ts'
import { parseUrl } from '../../runtime/parse-url.ts'
import { hasHttpScheme, normalizeSourceUrl } from '../source-url.ts'
import { withoutWrapper } from './wrappers.ts'

/** What somebody pasted, read as an address. */
export type Pasted =
  | {
      readonly kind: 'address'
      readonly url: string
      /** Whether http or https was written; else https is a guess. */
      readonly hasScheme: boolean
    }
  /** Somebody on some host, whatever runs there. */
  | { readonly kind: 'account'; readonly user: string; readonly host: string }

const LONGEST_TEXT = 10_000
const UNSEEN = /[\u200b-\u200f\u2060\ufeff]/g
const SCHEME = 'https?|feed|web\\+feed|rss|pcast|podcast|itpc'
const HOST = '(?:[\\p{L}\\p{N}_-]+[.。])+[\\p{L}\\p{N}-]{2,}'
/** A whole address in a text, up to what cannot belong to one. */
const ADDRESS_IN_TEXT = new RegExp(`\\b(?:${SCHEME}):[^\\s<>"'\`|\\\\^{}]{3,2000}`, 'giu')
const HOST_IN_TEXT = new RegExp(
  `(?<![\\p{L}\\p{N}_@/.-])${HOST}(?::\\d{1,5})?(?:/[^\\s<>"'\`|\\\\^{}]{0,2000})?`,
  'giu',
)
const HAS_HOST = /^[a-z+]+:(?:\/\/)?(?:https?:\/\/)?(?:[^/]*[.。\]]|localhost)/i
const ACCOUNT = new RegExp(`^(?:acct:)?@?([\\p{L}\\p{N}_.-]+)@(${HOST}(?::\\d{1,5})?)$`, 'iu')
/** Somebody who is named in a sentence: with the sign before, as an address of mail has none. */
const NAMED_IN_TEXT = new RegExp(`(?<![\\p{L}\\p{N}_@/.-])@(?:([\\p{L}\\p{N}_.-]+)@)?(${HOST})`, 'iu')
const COMMUNITY = new RegExp(`^!([\\p{L}\\p{N}_.-]+)@(${HOST})$`, 'iu')
const ACCOUNT_PAGE = new RegExp(`^(?:/(?:web|deck))?/@([\\p{L}\\p{N}_.-]+)@(${HOST})(?:/\\d*)?$`, 'iu')

/** What people write for an address where everybody knows the site. */
const SHORT_FORMS: readonly (readonly [RegExp, (word: string) => string])[] = [
  [/^\/?r\/([\w+-]+)\/?$/i, (sub) => `https://www.reddit.com/r/${sub}`],
  [/^\/?u(?:ser)?\/([\w-]+)\/?$/i, (user) => `https://www.reddit.com/user/${user}`],
  [/^(UC[\w-]{22})$/, (id) => `https://www.youtube.com/channel/${id}`],
  [/^arxiv:\s*([a-z-]+(?:\.[a-z-]+)?)$/i, (category) => `https://arxiv.org/list/${category}/recent`],
  // Capitals, as no host is written.
  [
    /^((?:astro-ph|cond-mat|cs|econ|eess|math|nlin|q-bio|q-fin|stat)\.[A-Z]{2})$/,
    (category) => `https://arxiv.org/list/${category}/recent`,
  ],
  [new RegExp(`^@(${HOST})$`, 'iu'), (handle) => `https://bsky.app/profile/${handle}`],
  [new RegExp(`^at://(did:[a-z]+:[\\w.-]+|${HOST})(?:/\\S*)?$`, 'iu'), (who) => `https://bsky.app/profile/${who}`],
  [new RegExp(`^(?:ssh://)?git@(${HOST}[:/][^\\s:]+)$`, 'iu'), (place) => `https://${place.replace(':', '/')}`],
  [new RegExp(`^git(?:\\+(?:https?|ssh))?://(?:git@)?(${HOST}/\\S+)$`, 'iu'), (place) => `https://${place}`],
]

/** Throws FETCH_BAD_URL, and says what would do. */
export function readPasted(input: string): Pasted {
  const text = input
    .slice(0, LONGEST_TEXT)
    .replace(UNSEEN, '')
    .replace(/\u00a0/g, ' ')
    .trim()
  const account = ACCOUNT.exec(text) ?? accountInPage(text)
  if (account !== null) return { kind: 'account', user: account[1] ?? '', host: (account[2] ?? '').toLowerCase() }
  const community = COMMUNITY.exec(text)
  if (community !== null) return address(`https://${community[2]}/c/${community[1]}`)
  for (const [form, write] of SHORT_FORMS) {
    const [, word] = form.exec(text) ?? []
    if (word !== undefined) return address(write(word))
  }
  if (/^@[^@\s./]+$/.test(text)) {
    throw new HeadwaterError('FETCH_BAD_URL', `"${text}" names no site; give the address of the page, or @name@host`)
  }
  return namedIn(text) ?? address(addressIn(text) ?? text)
}

function address(text: string): Pasted {
  return { kind: 'address', url: withoutWrapper(normalizeSourceUrl(text)), hasScheme: hasHttpScheme(text) }
}

/** Of a sentence that has no whole address; null: nobody is. */
function namedIn(text: string): Pasted | null {
  if (!/\s/.test(text) || /:\/\//.test(text)) return null
  const [, user, host = ''] = NAMED_IN_TEXT.exec(text) ?? []
  if (host === '') return null
  return user === undefined
    ? address(`https://bsky.app/profile/${host}`)
    : { kind: 'account', user, host: host.toLowerCase() }
}

/** Their host shows people of others: https://here.example/@name@there.example. */
function accountInPage(text: string): RegExpExecArray | null {
  const url = /^https?:\/\/[^\s]+$/i.test(text) ? parseUrl(text) : null
  return url === null ? null : ACCOUNT_PAGE.exec(url.pathname)
}

/** null: it is nothing but one, as far as can be seen. */
function addressIn(text: string): string | null {
  if (!/[\s<>"'`|]/.test(text) && !/^[[(«“„]/.test(text)) return null
  const whole = [...text.matchAll(ADDRESS_IN_TEXT)].map(([found]) => withoutEnd(found))
  // Who writes `https://exa mple.org/` meant none of what could be read.
  if (whole.length > 0) return whole.find((one) => HAS_HOST.test(one)) ?? null
  for (const [found] of text.matchAll(HOST_IN_TEXT)) return withoutEnd(found)
  return null
}

/** Without signs that end a sentence, and brackets that were opened before the address. */
function withoutEnd(found: string): string {
  let open = found.replace(/[^([]/g, '').length - found.replace(/[^)\]]/g, '').length
  let end = found.length
  for (; end > 0; end--) {
    const last = found.charAt(end - 1)
    const isClosing = ')]'.includes(last) && open < 0
    if (isClosing) open += 1
    else if (!'.,;:!?»”“…*_'.includes(last)) break
  }
  return found.slice(0, end)
}
