import { join } from 'node:path'
import { z } from 'zod'
import { FAMILY_IDS, USUAL_FAMILIES } from '../../crawler/bundles/families.ts'
import { parseAllowedRanges } from '../../http/address-ranges.ts'
import { DAY_MS, SECOND_MS } from '../../model/index.ts'
import { MAX_INTERVAL_MS } from '../../refresh/default-limits.ts'
import { LEARNING_WAYS } from '../../refresh/learning/plan.ts'
import type { QualityBounds } from '../../refresh/least-budget.ts'
import type { Budget } from '../../refresh/strategy.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { type Phrase, type PlainPhrase, phrase, plainPhrase } from '../../runtime/phrase.ts'
import { readSettingsFile } from './settings-file.ts'
import { parseBudget, parseBytes, parseDuration, parseWish } from './units.ts'

const duration = z.union([z.number().nonnegative(), z.string().transform(parseDuration)])
const bytes = z.union([z.number().int().positive(), z.string().transform(parseBytes)])
const budget = z.string().transform((text): Budget => parseBudget(text))
const count = z.coerce.number().int().positive()
const words = z.union([
  z.array(z.string().trim().min(1).max(500)),
  z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
])
const share = z.coerce.number().min(0).max(1)

/** What may be in a header (RFC 9110 §5.5). */
const PRINTABLE = /^[ -~]+$/

const ranges = z
  .union([z.array(z.string()), z.string().transform((text) => text.split(',').map((part) => part.trim()))])
  .refine(areRanges, 'give address ranges as 192.168.1.0/24, fd00::/8, loopback or private')
  .default([])

function areRanges(texts: readonly string[]): boolean {
  try {
    parseAllowedRanges(texts)
    return true
  } catch {
    return false
  }
}

/**
 * Everything that can be set. The same names serve as `--flags` (kebab-case), as environment variables
 * (HEADWATER_HOST_SPACING) and in `headwater.json` in the data folder; flags win over environment over file.
 */
const settings = z.strictObject({
  host: z.string().default('127.0.0.1'),
  port: z.coerce.number().int().min(0).max(65535).default(8080),
  budget: budget.default({ requests: 60, perMs: 60 * SECOND_MS }),
  /** What saved-up budget may buy at once: requests, or a time whose budget it is. */
  burst: z.union([count, z.string().transform((text) => ({ ms: parseDuration(text) }))]).optional(),
  /** No source is refreshed more often than this, however much budget is left; its own interval may be shorter. */
  minInterval: duration.default(5 * 60 * SECOND_MS),
  /** And none less often, however little it publishes. */
  maxInterval: duration.default(MAX_INTERVAL_MS),
  strategy: z.string().default('foresight'),
  /** `price`: decided event by event, at a price that meets the budget. `thesis`: in cycles, as the papers say. */
  threshold: z.enum(['price', 'thesis']).default('price'),
  /** The length of those cycles. */
  cycle: duration.refine((ms) => ms >= SECOND_MS, 'a cycle takes a second at least').default(10 * 60 * SECOND_MS),
  /** The publication model of strategies that need one; `usual`: what the authors of the strategy decide from. */
  estimator: z.string().default('usual'),
  /** A wished quality, as delay<15min or completeness>0.999: the least budget for it is found, and `budget` is the most. */
  quality: z
    .string()
    .transform((text): QualityBounds => parseWish(text))
    .optional(),
  /** What teaches the models: every refresh, requests apart, or periods of learning (app/learning.ts). */
  learning: z.enum(LEARNING_WAYS).default('online'),
  /** Of the budget, for learning requests, which go to all sources in turn; default: as the way of learning needs. */
  learningShare: z.coerce.number().min(0).max(100).optional(),
  /** Of the budget, for the first refresh of new sources while others wait. */
  exploreShare: share.default(0.5),
  /** Length of a period of learning, and from the start of one to the next. */
  learnFor: duration.optional(),
  learnEvery: duration.optional(),
  /** What a source that nobody reads counts, against 1 for one that is read; windows are kept from overflowing anyway. */
  archiveShare: share.default(0.1),
  /** How the number of a source's readers weighs it: by its logarithm, or each reader alike (SCC07's weights). */
  readerWeight: z.enum(['logarithm', 'linear']).default('logarithm'),
  /** Readers that a fetcher of a feed counts for at most, if it says how many subscribers it has; 0: it counts for one. */
  believeSubscribers: z.coerce.number().int().min(0).max(1_000_000).default(0),
  /** After a loss look again sooner: always, or only with strategies that know windows. */
  afterLoss: z.enum(['sooner', 'strategy']).default('sooner'),
  /** Older pages of a feed that one refresh may read after a loss; the rest is read at the next. */
  repairPages: z.coerce.number().int().min(0).default(20),
  /** Ask for several sources of a site in one request, where the site has addresses for that. */
  bundles: z.union([z.boolean(), z.stringbool()]).default(true),
  /** Sites of which that is done; default: those that do not speak against it. */
  bundleFamilies: words
    .refine((ids) => ids.every((id) => FAMILY_IDS.includes(id)), 'name any of arxiv, reddit and stack-exchange')
    .default([...USUAL_FAMILIES]),
  /** What a request costs in units of the budget. */
  costs: z.enum(['requests', 'bytes', 'time']).default('requests'),
  /** Of the budget, for pages of items at most; 0: none is fetched. */
  pageShare: share.default(0.2),
  /** Likewise for icons of sources. */
  iconShare: share.default(0.02),
  /** Folders of whose sources the pages of new items are fetched, whatever those sources say themselves. */
  pageFolders: words.default([]),
  /** Models and price are written this often. */
  checkpoint: duration.default(5 * SECOND_MS),
  /** Refreshes under way at once, over all hosts. */
  concurrency: count.default(32),
  hostConcurrency: count.default(2),
  hostSpacing: duration.default(1 * SECOND_MS),
  /** Of several crawlers on one store: after so long without a sign of life the others take over what one had. */
  lease: duration.refine((ms) => ms >= SECOND_MS, 'give at least 1s').default(10 * SECOND_MS),
  /** Address ranges that may be fetched although they are not public: CIDR, `loopback`, `private`. */
  allowRange: ranges,
  timeout: duration.default(60 * SECOND_MS),
  maxBody: bytes.default(15 * 1024 ** 2),
  userAgent: z.string().regex(PRINTABLE, 'plain letters, digits and signs, as headers can hold').optional(),
  /** Whom a site can write to about our requests: a web or mail address, sent in the user agent; default: publicUrl. */
  contact: z
    .string()
    .regex(/^(?:https?:\/\/[!-~]+|[!-~]+@[!-~]+)$/, 'give an address as https://example.org/about or me@example.org')
    .optional(),
  /** Items in a published feed. */
  feedItems: count.default(100),
  /** Readers load pictures of items from this node, which fetches them. */
  imageProxy: z.union([z.boolean(), z.stringbool()]).default(false),
  keepFor: duration.optional(),
  keepItems: count.optional(),
  keepObservationsFor: duration.default(400 * DAY_MS),
  /** When the data folder is as large as this, nothing is fetched until there is room. */
  maxData: bytes.optional(),
  bufferCapacity: count.default(100_000),
  /** What a member may have; the owner may have any number. */
  memberSources: count.max(1_000_000).default(1_000),
  memberQueries: count.max(1_000_000).default(200),
  memberSubscriptions: count.max(1_000_000).default(100),
  memberTokens: count.max(1_000_000).default(100),
  /** Connections at once; who holds one without using it makes room. */
  maxConnections: count.min(10).max(100_000).default(1_000),
  /** Of one address; loopback and trusted proxies are not counted. */
  maxConnectionsPerAddress: count.min(2).max(100_000).default(100),
  /** Addresses of proxies whose X-Forwarded-For is believed: CIDR, `loopback`, `private`. */
  trustProxy: ranges,
  /** The address under which readers reach this node, for links in published feeds. */
  publicUrl: z.url({ protocol: /^https?$/, error: 'give an address as https://feeds.example.org' }).optional(),
  /** Subscribe to the hubs that feeds name, and poll those feeds less. */
  push: z.union([z.boolean(), z.stringbool()]).default(true),
  /** Be the hub of its own query feeds: tell who subscribes of news. */
  hub: z.union([z.boolean(), z.stringbool()]).default(true),
  /** Tell other nodes what is published here (`/.well-known/headwater`), and let those that are trusted share work. */
  network: z.union([z.boolean(), z.stringbool()]).default(true),
  /** Files of subscriptions are written below this folder; default: `files` in the data folder. */
  outputDir: z.string().min(1).optional(),
  /** The key that seals log-ins of sources and secrets of subscriptions; default: `headwater.key` in the data folder. */
  keyFile: z.string().min(1).optional(),
  /** The database is looked through for damage this often; 0: never. */
  checkEvery: duration.default(7 * DAY_MS),
  /** `smtp://user:password@host:port` or `smtps://…`; without it no mail is sent. */
  smtpUrl: z
    .string()
    .regex(/^smtps?:\/\/[^\s]+$/, 'give smtp://user:password@host:port or smtps://…')
    .optional(),
  /** Letters for sources are taken here, as `127.0.0.1:2525`; without it none are. */
  smtpIn: z
    .string()
    .regex(/^(?:(?:\[[0-9a-f:.]+\]|[^:[\]\s]*):)?\d{1,5}$/i, 'give an address as 127.0.0.1:2525, or a port')
    .refine((text) => Number(text.slice(text.lastIndexOf(':') + 1)) <= 65535, 'a port is at most 65535')
    .optional(),
  /** What stands behind the @ in addresses of sources; default: the host of publicUrl. */
  mailDomain: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i, 'give a domain as letters.example.org')
    .optional(),
  /** Largest letter, with its attachments. */
  maxLetter: bytes.default(10 * 1024 ** 2),
  /** For STARTTLS: files in PEM. */
  smtpInCert: z.string().min(1).optional(),
  smtpInKey: z.string().min(1).optional(),
  mailFrom: z.string().regex(/@/, 'give a mail address').default('headwater@localhost'),
  webhookTimeout: duration.default(15 * SECOND_MS),
  /** Where alerts are sent by mail; without it none are. */
  alertMail: z
    .string()
    .regex(/^[^\s@]+@[^\s@]+$/, 'give a mail address')
    .optional(),
  /** Where alerts are sent as messages of a webhook; without it none are. */
  alertWebhook: z.url({ protocol: /^https?$/, error: 'give an address as https://example.org/hook' }).optional(),
  /** What those messages are signed with. */
  alertSecret: z.string().min(1).max(200).optional(),
  /** Send a trace of each refresh to this collector (OTLP over HTTP, JSON). */
  traceUrl: z.url({ protocol: /^https?$/, error: 'give an address as http://127.0.0.1:4318/v1/traces' }).optional(),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

export type Settings = z.infer<typeof settings>
export type SettingName = keyof z.input<typeof settings>
export interface Config extends Settings {
  /** The folder of the database, with settings, key and files beside it; of a database elsewhere only key and files. */
  readonly dataDir: string
  /** Where the data is if not in the data folder (data/store-url.ts). */
  readonly store?: string
}

export const SETTING_NAMES = Object.keys(settings.shape) as readonly SettingName[]
export type SettingOrigin = 'flag' | 'environment'

type Flags = Readonly<Record<string, unknown>>
type Variables = Readonly<Record<string, string | undefined>>

/** Of a data folder. */
export function loadConfig(dataDir: string, flags: Flags, environment: Variables): Config {
  return { ...mergeSettings(readSettingsFile(dataDir), flags, environment), dataDir }
}

/** `document`: what was set before; flags win over environment over document. */
export function mergeSettings(
  document: Readonly<Record<string, unknown>>,
  flags: Flags,
  environment: Variables,
): Settings {
  const merged: Record<string, unknown> = { ...document }
  for (const name of SETTING_NAMES) {
    const fromEnvironment = environment[environmentName(name)]
    if (fromEnvironment !== undefined) merged[name] = fromEnvironment
    if (flags[name] !== undefined) merged[name] = flags[name]
  }
  return checkSettings(merged)
}

/** What was given in words, as it is used; throws USAGE. */
export function checkSettings(values: Readonly<Record<string, unknown>>): Settings {
  const result = settings.safeParse(values)
  if (result.success) return result.data
  const [issue] = result.error.issues
  if (issue === undefined) throw result.error
  if (issue.code === 'unrecognized_keys') throw new HeadwaterError('USAGE', phrase`no setting ${issue.keys.join(', ')}`)
  throw new HeadwaterError('USAGE', phrase`setting ${issue.path.join('.')}: ${whyNot(issue, values)}`)
}

/** What is wrong with one setting by itself; null: nothing. */
export function settingProblem(name: string, value: unknown): Phrase | null {
  try {
    const [issue] = settings.safeParse({ [name]: value }).error?.issues ?? []
    return issue === undefined ? null : whyNot(issue, { [name]: value })
  } catch (error) {
    if (error instanceof HeadwaterError) return error.phrase ?? plainPhrase(error.message)
    throw error
  }
}

function whyNot(issue: z.core.$ZodIssue, values: Readonly<Record<string, unknown>>): PlainPhrase {
  const value = values[String(issue.path[0])]
  if (issue.code === 'too_small' && issue.origin === 'number') {
    return issue.inclusive === false
      ? phrase`must be more than ${Number(issue.minimum)}`
      : phrase`must be ${Number(issue.minimum)} at least`
  }
  if (issue.code === 'too_big' && issue.origin === 'number') return phrase`must be ${Number(issue.maximum)} at most`
  if (issue.code === 'invalid_value') return phrase`there is only ${issue.values.join(', ')}`
  if (issue.code === 'invalid_type' && issue.expected === 'number' && typeof value === 'string') {
    return phrase`"${value}" is not a number`
  }
  if (issue.code === 'invalid_type' && issue.expected === 'int') return phrase`must be a whole number`
  return plainPhrase(issue.message)
}

/** The default place of what subscriptions write. */
export const OUTPUT_FOLDER = 'files'

/** The folder below which subscriptions may write files. */
export function outputDirOf({ outputDir, dataDir }: Pick<Config, 'outputDir' | 'dataDir'>): string {
  return outputDir ?? join(dataDir, OUTPUT_FOLDER)
}

/** Which settings are given elsewhere than in the file, which cannot change them then. */
export function givenElsewhere(
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, SettingOrigin> {
  const origins = new Map<string, SettingOrigin>()
  for (const name of SETTING_NAMES) {
    if (flags[name] !== undefined) origins.set(name, 'flag')
    else if (environment[environmentName(name)] !== undefined) origins.set(name, 'environment')
  }
  return origins
}

export function environmentName(setting: string): string {
  return `HEADWATER_${setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}
