import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableHtmlOf } from './charts.ts'
import { ROOT } from './outline.ts'

interface Compared {
  readonly command: string
  readonly date: string
  readonly version: string
  readonly traces: readonly {
    readonly trace: string
    readonly sources: number
    readonly items: number
    readonly measuredDays: number
    readonly window: number
    readonly budgets: readonly {
      readonly perDay: number
      readonly drawnSources?: number
      readonly policies: readonly {
        readonly policy: string
        readonly requests: number
        readonly meanDelayMinutes: number
        readonly p95DelayMinutes: number
        readonly lostShare: number
      }[]
    }[]
  }[]
}

const COLUMNS = ['policy', 'requests', 'mean delay, min', '95 % within, min', 'lost, %', 'delay beside ours']

/** `<!-- compared -->` in a document: what `npm run docs:compare` has measured and written down. */
export function withComparison(html: string): string {
  if (!html.includes('<!-- compared -->')) return html
  const measured = JSON.parse(readFileSync(join(ROOT, 'docs/data/compared.json'), 'utf8')) as Compared
  const { command, date, version } = measured
  const head = `<p>Measured on ${date} with version ${version}, by <code>${command}</code>.</p>`
  return html.replace('<!-- compared -->', `${head}\n${measured.traces.map(ofTrace).join('\n')}`)
}

function ofTrace({ trace, sources, items, measuredDays, window, budgets }: Compared['traces'][number]): string {
  const head = `<h3>${trace}</h3><p>${sources} sources, ${items.toLocaleString('en')} items, ${Math.round(measuredDays)} days, windows of ${window}.</p>`
  return `${head}${budgets.map(ofBudget).join('\n')}`
}

function ofBudget({ perDay, drawnSources, policies }: Compared['traces'][number]['budgets'][number]): string {
  const ours = policies.find(({ policy }) => policy === 'foresight')?.meanDelayMinutes
  const rows = policies
    .toSorted((a, b) => a.meanDelayMinutes - b.meanDelayMinutes)
    .map(({ policy, requests, meanDelayMinutes, p95DelayMinutes, lostShare }) => [
      policy,
      requests.toLocaleString('en'),
      meanDelayMinutes.toFixed(1),
      p95DelayMinutes.toFixed(0),
      (100 * lostShare).toFixed(2),
      ours === undefined ? '–' : `${(meanDelayMinutes / ours).toFixed(2)} ×`,
    ])
  const drawn = drawnSources === undefined ? '' : `, ${drawnSources} sources drawn`
  return `<figure><figcaption>${perDay} requests per source and day${drawn}</figcaption>${tableHtmlOf(COLUMNS, rows)}</figure>`
}
