import { type Command, InvalidArgumentError, Option } from 'commander'
import { parseDuration } from '../../app/settings/units.ts'
import type { Listing, PageWish, SourceSettings } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { parseUrl } from '../../runtime/parse-url.ts'
import { option } from '../cli-session.ts'

/** The options that `add` and `set` share, and the settings they stand for. */
export interface SettingOptions {
  readonly name?: string
  readonly category?: readonly string[]
  readonly weight?: number
  /** Not null for `auto`, which commander would turn into an empty text. */
  readonly interval?: number | 'auto'
  readonly leastInterval?: number | 'auto'
  readonly mostInterval?: number | 'auto'
  readonly header?: readonly string[]
  readonly auth?: string
  readonly userAgent?: string
  readonly proxy?: string
  readonly allowance?: number | 'off' | 'auto'
  readonly pages?: PageWish
  readonly list?: string
  readonly title?: string
  readonly link?: string
  readonly date?: string
  readonly content?: string
  readonly element?: string
}

export function withSettingOptions(command: Command): Command {
  return command
    .option('--name <text>', "your own name for it (empty: the feed's title)")
    .option('--category <path...>', 'categories, as News or News/Science (empty: none)')
    .option('--weight <n>', 'importance; 1 is usual', option(parsePositive))
    .option('--interval <duration>', 'an interval of its own, as 15min (auto: the strategy decides)', option(interval))
    .option('--least-interval <duration>', 'never more often than this (auto: as the node has it)', option(interval))
    .option('--most-interval <duration>', 'never less often than this (auto: as the node has it)', option(interval))
    .option('--header <name: value...>', 'headers to send (empty: none)')
    .option('--auth <user:password>', 'basic auth (empty: none)')
    .option('--user-agent <text>', 'another user agent (empty: the usual one)')
    .option('--proxy <url>', 'fetch it through this proxy (empty: none)')
    .option(
      '--allowance <items>',
      'new items stored a day at most, as 20000 (off: all that it shows; auto: learnt from its past)',
      option(allowance),
    )
    .addOption(
      new Option('--pages <what>', 'whether the pages of its new items are fetched for their whole text').choices([
        'off',
        'fetch',
        'follow',
      ]),
    )
    .option('--list <selector>', 'of a page without a feed: finds its items, as "article.post" (empty: it is a feed)')
    .option('--title <selector>', 'with --list: finds the title within an item (default: its heading or link)')
    .option('--link <selector>', 'with --list: finds the link (default: that of the title)')
    .option('--date <selector>', 'with --list: finds the date (default: its time element)')
    .option('--content <selector>', 'with --list: finds the text (default: none)')
    .option('--element <selector>', 'of a page without a feed: each change of this element is an item')
}

export function settingsFrom(options: SettingOptions): Partial<SourceSettings> {
  const settings: { -readonly [Key in keyof SourceSettings]?: SourceSettings[Key] } = {}
  if (options.name !== undefined) settings.name = options.name || null
  if (options.category !== undefined) settings.categories = categories(options.category)
  if (options.weight !== undefined) settings.weight = options.weight
  if (options.interval !== undefined) settings.intervalMs = unlessAuto(options.interval)
  if (options.leastInterval !== undefined) settings.minIntervalMs = unlessAuto(options.leastInterval)
  if (options.mostInterval !== undefined) settings.maxIntervalMs = unlessAuto(options.mostInterval)
  if (options.header !== undefined) settings.headers = headers(options.header)
  if (options.auth !== undefined) settings.basicAuth = auth(options.auth)
  if (options.userAgent !== undefined) settings.userAgent = options.userAgent || null
  if (options.proxy !== undefined) settings.proxyUrl = proxy(options.proxy)
  if (options.pages !== undefined) settings.pages = options.pages
  if (options.allowance !== undefined) settings.dailyAllowance = unlessAuto(options.allowance)
  const listing = listingFrom(options)
  if (listing !== undefined) settings.listing = listing
  return settings
}

/** undefined: nothing is said of it. */
function listingFrom({ list, title, link, date, content, element }: SettingOptions): Listing | null | undefined {
  const fields = { title, link, date, content }
  const isList = list !== undefined && list !== ''
  if (!isList && Object.values(fields).some((selector) => selector !== undefined))
    throw new HeadwaterError('USAGE', '--title, --link, --date and --content need --list')
  if (isList && element !== undefined) throw new HeadwaterError('USAGE', 'give --list or --element, not both')
  if (isList) {
    const given = Object.entries(fields).filter(([, selector]) => selector !== undefined && selector !== '')
    return { list, ...Object.fromEntries(given) }
  }
  if (element !== undefined) return element === '' ? null : { element }
  return list === '' ? null : undefined
}

export function parsePositive(text: string): number {
  const value = Number(text)
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('A number above 0, as 1 or 2.5.')
  return value
}

function unlessAuto<Value>(value: Value | 'auto'): Value | null {
  return value === 'auto' ? null : value
}

function allowance(text: string): number | 'off' | 'auto' {
  if (text === 'auto' || text === 'off') return text
  const items = Number(text)
  if (text.trim() === '' || !Number.isSafeInteger(items) || items < 0)
    throw new InvalidArgumentError('A number of items as 20000, off or auto.')
  return items
}

function interval(text: string): number | 'auto' {
  if (text === 'auto') return text
  const ms = parseDuration(text)
  if (ms < 1_000) throw new InvalidArgumentError('At least 1s; hosts do not get more requests anyway.')
  return ms
}

function categories(names: readonly string[]): string[] {
  const clean = names.map((path) =>
    path
      .split('/')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .join('/'),
  )
  return [...new Set(clean.filter((path) => path !== ''))].sort()
}

function headers(lines: readonly string[]): Record<string, string> {
  const parsed: Record<string, string> = {}
  for (const line of lines) {
    if (line === '') continue
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) {
      throw new HeadwaterError('USAGE', `"${line}" is not a header; write it as "Name: value"`)
    }
    parsed[name] = value
  }
  return parsed
}

function auth(text: string): SourceSettings['basicAuth'] {
  if (text === '') return null
  const at = text.indexOf(':')
  if (at < 1) throw new HeadwaterError('USAGE', 'basic auth is written user:password')
  return { user: text.slice(0, at), password: text.slice(at + 1) }
}

function proxy(text: string): string | null {
  if (text === '') return null
  if (parseUrl(text) === null || !/^https?:/.test(text)) {
    throw new HeadwaterError('USAGE', `"${text}" is not a proxy; write it as http://host:port`)
  }
  return text
}
