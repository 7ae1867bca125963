/**
 * Prometheus' text format 0.0.4, as far as counters, gauges and histograms need it:
 * https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export interface MetricFamily {
  /** `[a-zA-Z_:][a-zA-Z0-9_:]*`; counters end in `_total`. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

export interface Sample {
  /** `_bucket`, `_sum` or `_count` of a histogram; else nothing. */
  readonly suffix?: '_bucket' | '_sum' | '_count'
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export function expose(families: readonly MetricFamily[]): string {
  return families.map(exposeFamily).join('')
}

function exposeFamily({ name, help, type, samples }: MetricFamily): string {
  const lines = samples.map(
    ({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${number(value)}\n`,
  )
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"')
}

function number(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  return String(value)
}

/** Buckets hold everything up to their end, ascending; the last is the count of all. */
export function histogram(
  name: string,
  help: string,
  buckets: readonly { readonly upTo: number; readonly items: number }[],
  sum: number,
): MetricFamily {
  let total = 0
  const samples: Sample[] = buckets.map(({ upTo, items }) => {
    total += items
    return { suffix: '_bucket', labels: { le: number(upTo) }, value: total }
  })
  if (buckets.at(-1)?.upTo !== Number.POSITIVE_INFINITY) {
    samples.push({ suffix: '_bucket', labels: { le: '+Inf' }, value: total })
  }
  return {
    name,
    help,
    type: 'histogram',
    samples: [...samples, { suffix: '_sum', value: sum }, { suffix: '_count', value: total }],
  }
}
