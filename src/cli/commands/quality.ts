import { Command, Option } from 'commander'
import { createQualityService, type QualityReport } from '../../app/quality/quality.ts'
import { findSourceByName, shownName } from '../../app/sources/import-sources.ts'
import { type MeasuredPeriod, PERIODS } from '../../quality/live.ts'
import { describeDuration } from '../../refresh/words.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { Store } from '../../store/store.ts'
import { DATA_OPTION, STORE_OPTION, withSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { isoOrNull, json } from '../output.ts'
import type { Style } from '../style.ts'
import { table } from '../table.ts'

interface QualityOptions {
  readonly source?: string
  readonly category?: string
  readonly feed?: string
  readonly over?: MeasuredPeriod
  readonly json?: boolean
}

export function qualityCommand(context: CliContext): Command {
  const periods = Object.keys(PERIODS) as MeasuredPeriod[]
  return new Command('quality')
    .description('Show how complete, how fresh and how late the node is, and what that cost')
    .option('--source <source>', 'only of this source')
    .option('--category <path>', 'only of this category and its subfolders')
    .option('--feed <name>', 'only of this query feed')
    .addOption(new Option('--over <period>', 'only over the last hour, day or week').choices(periods))
    .option(...DATA_OPTION)
    .option(...STORE_OPTION)
    .option('--json', 'print as JSON, one report per period')
    .addHelpText('after', EXAMPLES)
    .action(async (options: QualityOptions, command: Command) =>
      withSession(command, context, async ({ data }) => {
        const { scope, title } = await scopeOf(options, data.store)
        const { createShareReader } = await import('../../app/crawling/shares.ts')
        const service = createQualityService(data.store, context.clock, null, createShareReader(data.store))
        const chosen = options.over === undefined ? periods : [options.over]
        const reports = await Promise.all(chosen.map((over) => service.report(scope, over)))
        if (options.json) return context.out(json(reports.map(reportJson)))
        context.out(`${title}\n\n${inRows(reports, context.style)}`)
      }),
    )
}

const EXAMPLES = '\nExamples:\n  $ headwater quality\n  $ headwater quality --category News --over week --json'

async function scopeOf(options: QualityOptions, store: Store): Promise<{ scope: string; title: string }> {
  const { source, category, feed } = options
  if ([source, category, feed].filter((option) => option !== undefined).length > 1) {
    throw new HeadwaterError('USAGE', 'give one of --source, --category and --feed')
  }
  if (source !== undefined) {
    const found = await findSourceByName(source, store)
    return { scope: `source:${found.id}`, title: `Quality of ${shownName(found)}` }
  }
  if (category !== undefined) return { scope: `category:${category}`, title: `Quality of ${category}` }
  if (feed !== undefined) return { scope: `feed:${feed}`, title: `Quality of the feed ${feed}` }
  return { scope: 'node', title: 'Quality of the node' }
}

function reportJson(report: QualityReport): object {
  return { ...report, from: isoOrNull(report.from), to: isoOrNull(report.to) }
}

/** Measures down, periods across; what had to be estimated is marked with ≈. */
function inRows(reports: readonly QualityReport[], style: Style | undefined): string {
  const rows: [string, (report: QualityReport) => string][] = [
    ['completeness', ({ completeness }) => (completeness ? percent(completeness.value, completeness.estimated) : '–')],
    ['freshness', ({ freshness }) => (freshness ? percent(freshness.value, freshness.estimated) : '–')],
    ['mean delay', ({ delay }) => (delay ? about(describeDuration(delay.meanMs), delay.estimated) : '–')],
    ['median delay', ({ delay }) => (delay ? about(describeDuration(delay.medianMs), delay.estimated) : '–')],
    ['95 % within', ({ delay }) => (delay ? about(describeDuration(delay.p95Ms), delay.estimated) : '–')],
    ['new items', ({ items }) => whole(items)],
    ['items lost', ({ lost }) => lossInWords(lost)],
    ['items repaired', ({ repairedItems }) => whole(repairedItems)],
    [
      'requests',
      ({ requests, failedRequests }) =>
        `${whole(requests)}${failedRequests > 0 ? `, ${whole(failedRequests)} failed` : ''}`,
    ],
    ['useful requests', ({ usefulShare }) => (usefulShare === null ? '–' : percent(usefulShare, false))],
    ['received', ({ bytes }) => bytesInWords(bytes)],
  ]
  const body = rows.map(([name, show]) => [name, ...reports.map(show)])
  return `${table(['', ...reports.map(({ over }) => `LAST ${over.toUpperCase()}`)], body, style)}\n≈ estimated\n`
}

function about(text: string, estimated: boolean): string {
  return estimated ? `≈ ${text}` : text
}

function percent(share: number, estimated: boolean): string {
  const digits = share > 0.99 && share < 1 ? 2 : 1
  return about(`${(Math.floor(share * 100 * 10 ** digits) / 10 ** digits).toFixed(digits)} %`, estimated)
}

function lossInWords({ items, atLeast, atMost, estimated }: QualityReport['lost']): string {
  if (!estimated) return '0'
  return `≈ ${whole(items)} (${whole(atLeast)} to ${whole(atMost)})`
}

function whole(count: number): string {
  return Math.round(count).toLocaleString('en')
}

function bytesInWords(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}
