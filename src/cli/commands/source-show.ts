import { Command } from 'commander'
import { type IntakeToday, intakeToday } from '../../app/crawling/intake.ts'
import type { Config } from '../../app/settings/config.ts'
import { findSourceByName, shownName } from '../../app/sources/import-sources.ts'
import { hostKey } from '../../crawler/fetch/host-key.ts'
import { refusalInWords } from '../../crawler/intake/words.ts'
import { lossInWords } from '../../crawler/loss.ts'
import type { Observation, PageSums, Source } from '../../model/index.ts'
import { describeDuration } from '../../refresh/words.ts'
import { type CliSession, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { clip, isoOrNull, json, relative } from '../output.ts'
import type { Style, Tone } from '../style.ts'
import { type Cell, table } from '../table.ts'
import { DECISION_COLUMNS, decisionCells, whyJson, whyLines } from './source-why.ts'

/** A source as programs read it: secrets hidden, times in ISO 8601. */
export function sourceJson(source: Source): object {
  const { window, hints, movingTo, saturation, refusal, ...state } = source.state
  return {
    id: source.id,
    url: source.url,
    formerUrls: source.formerUrls ?? [],
    name: source.name,
    title: state.title,
    siteUrl: state.siteUrl,
    categories: source.categories,
    feedCategories: state.feedCategories,
    weight: source.weight,
    intervalSeconds: source.intervalMs === null ? null : source.intervalMs / 1000,
    minIntervalSeconds: source.minIntervalMs == null ? null : source.minIntervalMs / 1000,
    maxIntervalSeconds: source.maxIntervalMs == null ? null : source.maxIntervalMs / 1000,
    headers: Object.keys(source.headers),
    basicAuth: source.basicAuth === null ? null : { user: source.basicAuth.user },
    userAgent: source.userAgent,
    listing: source.listing ?? null,
    proxyUrl: source.proxyUrl,
    paused: source.paused,
    addedAt: isoOrNull(source.addedAt),
    status: state.status,
    format: state.format,
    windowSize: window.length,
    datesCredible: state.datesCredible,
    lastCheckAt: isoOrNull(state.lastCheckAt),
    lastSuccessAt: isoOrNull(state.lastSuccessAt),
    lastNewItemAt: isoOrNull(state.lastNewItemAt),
    nextCheckAt: isoOrNull(state.nextCheckAt),
    nextCheckReason: state.nextCheckReason,
    failureCount: state.failureCount,
    lastError: state.lastError === null ? null : { ...state.lastError, at: isoOrNull(state.lastError.at) },
    movingTo,
    saturation: saturation && { ...saturation, at: isoOrNull(saturation.at) },
    dailyAllowance: source.dailyAllowance ?? 'auto',
    pages: source.pages ?? 'off',
    refusal: refusal && { ...refusal, at: isoOrNull(refusal.at), until: isoOrNull(refusal.until) },
    hints,
    notBefore: isoOrNull(state.notBefore),
  }
}

export function stateInWords(source: Source): string {
  if (source.paused) return 'paused'
  const { status, lastError, refusal } = source.state
  if (status === 'active' && refusal !== null) return 'flooding'
  return status === 'failing' && lastError ? `failing ${lastError.code}` : status
}

const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  new: 'dim',
  paused: 'dim',
  flooding: 'warning',
  failing: 'bad',
  retired: 'bad',
}

function stateCell(source: Source): Cell {
  const text = stateInWords(source)
  return { text, tone: TONES[text.split(' ', 1)[0]!] ?? 'dim' }
}

export function sourceListCommand(context: CliContext): Command {
  return new Command('list')
    .description('List the sources with their state')
    .option('--category <path>', 'only those of a category and its subfolders')
    .option('--text <part>', 'only those whose name, title or address contains this')
    .option('--status <status>', 'only new, active, failing or retired ones')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExamples:\n  $ headwater source list\n  $ headwater source list --status failing --json')
    .action(async (options: { json?: boolean; category?: string; text?: string; status?: string }, command: Command) =>
      withSession(command, context, (session) => runList(session, context, options)),
    )
}

async function runList(
  { data }: CliSession,
  context: CliContext,
  options: { json?: boolean; category?: string; text?: string; status?: string },
): Promise<void> {
  const { category, text, status } = options
  const sources = await data.store.sources({
    ...(category === undefined ? {} : { category }),
    ...(text === undefined ? {} : { text }),
    ...(status === undefined ? {} : { status: status as Source['state']['status'] }),
  })
  if (options.json) return context.out(json(sources.map(sourceJson)))
  const now = context.clock.now()
  const rows = sources.map((source) => [
    String(source.id),
    stateCell(source),
    relative(source.state.lastCheckAt, now),
    source.paused ? '–' : relative(source.state.nextCheckAt, now),
    clip(shownName(source), 40),
    source.url,
  ])
  context.out(table(['ID', 'STATE', 'LAST CHECK', 'NEXT CHECK', 'NAME', 'URL'], rows, context.style))
}

export function sourceShowCommand(context: CliContext): Command {
  return new Command('show')
    .description('Show all about one source: settings, state, next check and its reason, last refreshes')
    .argument('<source>', 'number or address')
    .option('--json', 'print as JSON')
    .addHelpText('after', '\nExample:\n  $ headwater source show 3')
    .action(async (name: string, options: { json?: boolean }, command: Command) =>
      withSession(command, context, (session) => runShow(session, context, name, options)),
    )
}

async function runShow(
  { data, config }: CliSession,
  context: CliContext,
  name: string,
  options: { json?: boolean },
): Promise<void> {
  const { explainSource } = await import('../../app/crawling/models.ts')
  const { slowHosts } = await import('../../app/crawling/politeness.ts')
  const now = context.clock.now()
  const source = await findSourceByName(name, data.store)
  const why = await explainSource(source, config, data.store, now)
  const decisions = await data.store.decisions(source.id, 10)
  const observations = await data.store.observations(source.id, { limit: 10 })
  const items = await data.store.itemCount(source.id)
  const intake = await intakeToday(source, data.store, now)
  const pages = await data.store.pageSums(source.id)
  const slowHostMs = (await slowHosts(data.store)).get(hostKey(source.url)) ?? null
  if (options.json) {
    const refreshes = observations.map((o) => ({
      ...o,
      previousAt: isoOrNull(o.previousAt),
      at: isoOrNull(o.at),
      itemTimes: o.itemTimes.map(isoOrNull),
    }))
    const past = decisions.map((decision) => ({ ...decision, at: isoOrNull(decision.at) }))
    const slowHostSeconds = slowHostMs === null ? null : slowHostMs / 1000
    return context.out(
      json({
        ...sourceJson(source),
        slowHostSeconds,
        items,
        intake,
        pageSums: { ...pages, keepForMs: config.keepFor ?? null, keepItems: config.keepItems ?? null },
        why: whyJson(why),
        decisions: past,
        refreshes,
      }),
    )
  }
  const more: [string, string | null][] = [
    ['slow host', slowHostMs === null ? null : slowWords(slowHostMs)],
    ...intakeLines(source, intake),
    ['pages', pagesInWords(source, pages, config)],
  ]
  context.out(inDetail(source, items, observations, now, [...more, ...whyLines(why, now)], context.style))
  if (decisions.length > 0) {
    const rows = decisions.map((decision) => decisionCells(decision, now))
    context.out(`\n${table(DECISION_COLUMNS, rows, context.style)}`)
  }
}

function slowWords(ms: number): string {
  return `answers take ${describeDuration(ms)}; slow hosts share a quarter of the places for requests`
}

function saturationInWords(saturation: Source['state']['saturation'], now: number): string | null {
  if (saturation === null) return null
  const { at, repaired, loss } = saturation
  return `${relative(at, now)}: ${lossInWords({ overlap: repaired ? 'repaired' : 'none', ...(loss && { loss }) })}`
}

function intakeLines(source: Source, { allowance, taken, refused }: IntakeToday): [string, string | null][] {
  const isUsual = source.dailyAllowance == null && refused === 0 && source.state.refusal === null
  const most = allowance === null ? 'lifted' : `${allowance} new items a day`
  const by = source.dailyAllowance == null ? ', learnt' : ''
  return [
    ['allowance', isUsual ? null : `${most}${by}; today ${taken} stored, ${refused} refused`],
    ['refused', source.state.refusal && refusalInWords(source.state.refusal)],
  ]
}

type Keeping = Pick<Config, 'keepFor' | 'keepItems'>

function pagesInWords({ pages }: Source, sums: PageSums, keeping: Keeping): string | null {
  const { waiting, fetched, failed, bodyBytes } = sums
  const isWanted = pages === 'fetch' || pages === 'follow'
  if (!isWanted && waiting + fetched + failed === 0) return null
  const kept = `${fetched} fetched (${Math.ceil(bodyBytes / 1000)} kB), ${waiting} waiting, ${failed} given up`
  const now = isWanted ? '' : 'fetched for a folder or a query feed alone; '
  return `${now}${kept}${pages === 'follow' ? '; changes are followed' : ''}; ${keepingWords(keeping)}`
}

/** Pages go with their items. */
function keepingWords({ keepFor, keepItems }: Keeping): string {
  const limits = [
    ...(keepFor === undefined ? [] : [`for ${describeDuration(keepFor)}`]),
    ...(keepItems === undefined ? [] : [`of the last ${keepItems} items`]),
  ]
  return limits.length === 0 ? 'kept as long as their items' : `kept ${limits.join(', ')}`
}

function lossOf({ overlap, loss, lostAtLeast }: Observation): string {
  if (overlap === 'repaired') return 'none: read from older pages'
  if (overlap !== 'none') return ''
  return loss === undefined ? `at least ${lostAtLeast}` : `≈ ${loss.items} (${loss.atLeast} to ${loss.atMost})`
}

function inDetail(
  source: Source,
  items: number,
  observations: readonly Observation[],
  now: number,
  why: readonly [string, string | null][],
  style: Style | undefined,
): string {
  const { state } = source
  const lines: [string, string | null][] = [
    ['source', `${source.id}  ${shownName(source)}`],
    ['address', source.url],
    ['site', state.siteUrl],
    ['categories', source.categories.join(', ') || null],
    ['state', stateInWords(source)],
    [
      'last error',
      state.lastError && `${state.lastError.code}: ${state.lastError.message} (${relative(state.lastError.at, now)})`,
    ],
    ['failures', state.failureCount > 0 ? String(state.failureCount) : null],
    ['last check', relative(state.lastCheckAt, now)],
    [
      'next check',
      source.paused
        ? 'paused'
        : `${relative(state.nextCheckAt, now)}${state.nextCheckReason ? `: ${state.nextCheckReason}` : ''}`,
    ],
    ...why,
    ['last news', relative(state.lastNewItemAt, now)],
    ['saturated', saturationInWords(state.saturation, now)],
    ['items', `${items} archived, window of ${state.window.length}`],
    ['format', state.format],
    ['is about', state.feedCategories.join(', ') || null],
    [
      'dates',
      state.lastSuccessAt === null ? null : state.datesCredible ? 'credible' : 'not credible; order is by first sight',
    ],
    ['hubs', state.hints?.hubs.join(', ') || null],
    ['moved from', source.formerUrls?.join(', ') ?? null],
    ['moving to', state.movingTo && `${state.movingTo.url} (seen ${state.movingTo.confirmations} times)`],
    ['weight', source.weight === 1 ? null : String(source.weight)],
    ['interval', source.intervalMs === null ? null : describeDuration(source.intervalMs)],
    ['headers', Object.keys(source.headers).join(', ') || null],
    ['basic auth', source.basicAuth && `${source.basicAuth.user}:•••`],
    ['user agent', source.userAgent],
    ['proxy', source.proxyUrl],
  ]
  const head = lines.flatMap(([name, value]) => (value === null ? [] : [`${name.padEnd(12)}${value}\n`])).join('')
  if (observations.length === 0) return head
  const rows = observations.map((o) => [
    relative(o.at, now),
    o.notModified ? 'unchanged' : `${o.newItems} new of ${o.windowSize}`,
    lossOf(o),
    `${Math.round(o.latencyMs)} ms`,
    `${o.bytes} B`,
  ])
  return `${head}\n${table(['REFRESHED', 'RESULT', 'LOSS', 'TIME', 'SIZE'], rows, style)}`
}
