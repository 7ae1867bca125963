import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_COUNTS } from '../model/index.ts'
import { measureQuality, tallyOf } from '../quality/live.ts'
import { ALARMS } from '../runtime/alarms.ts'
import { expose, histogram, type MetricFamily } from './exposition.ts'
import { nodeMetrics } from './metrics.ts'

interface Line {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** A strict reader of the format, written from its description; throws where the text breaks a rule. */
function read(text: string): Map<string, { type: string; help: string; lines: Line[] }> {
  const families = new Map<string, { type: string; help: string; lines: Line[] }>()
  if (!text.endsWith('\n')) throw new Error('the last line must end in a line feed')
  let help: [string, string] | null = null
  let current = ''
  for (const line of text.slice(0, -1).split('\n')) {
    const helpLine = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/.exec(line)
    const typeLine = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)$/.exec(line)
    if (helpLine) help = [helpLine[1]!, unescaped(helpLine[2]!)]
    else if (typeLine) {
      if (families.has(typeLine[1]!)) throw new Error(`${typeLine[1]} is there twice`)
      if (help?.[0] !== typeLine[1]) throw new Error('help of another metric')
      current = typeLine[1]!
      families.set(current, { type: typeLine[2]!, help: help![1], lines: [] })
    } else {
      const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (NaN|[+-]Inf|-?[0-9.]+(?:e[+-]?[0-9]+)?)$/.exec(line)
      if (!sample) throw new Error(`not a sample: ${line}`)
      const { type, lines } = families.get(current)!
      const suffix = sample[1]!.slice(current.length)
      const allowed = type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
      if (!sample[1]!.startsWith(current) || !allowed.includes(suffix)) throw new Error(`${line} under ${current}`)
      lines.push({ name: sample[1]!, labels: readLabels(sample[2] ?? ''), value: readNumber(sample[3]!) })
    }
  }
  return families
}

function readLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  let rest = text
  while (rest !== '') {
    const pair = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)",?/.exec(rest)
    if (!pair) throw new Error(`not a label: ${rest}`)
    labels[pair[1]!] = unescaped(pair[2]!)
    rest = rest.slice(pair[0].length)
  }
  return labels
}

const unescaped = (text: string) => text.replace(/\\(.)/g, (_, c: string) => (c === 'n' ? '\n' : c))
const readNumber = (text: string) => Number(text.replace(/Inf$/, 'Infinity'))

describe('the text format', () => {
  it('says a metric as its description shows', () => {
    const family: MetricFamily = {
      name: 'msdos_file_access_time_seconds',
      help: 'Escape\\and\nline',
      type: 'gauge',
      samples: [
        { labels: { path: 'C:\\DIR\\FILE.TXT', error: 'Cannot find file:\n"FILE.TXT"' }, value: 1.458255915e9 },
      ],
    }
    expect(expose([family])).toBe(
      [
        '# HELP msdos_file_access_time_seconds Escape\\\\and\\nline',
        '# TYPE msdos_file_access_time_seconds gauge',
        'msdos_file_access_time_seconds{path="C:\\\\DIR\\\\FILE.TXT",error="Cannot find file:\\n\\"FILE.TXT\\""} 1458255915',
        '',
      ].join('\n'),
    )
  })

  it('reads back as it was meant, whatever is in it', () => {
    const sample = fc.record({
      labels: fc.dictionary(fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,5}$/), fc.string({ unit: 'binary' }), {
        maxKeys: 3,
      }),
      value: fc.double(),
    })
    fc.assert(
      fc.property(fc.string(), fc.array(sample, { maxLength: 4 }), (help, samples) => {
        const clean = help.replaceAll('\r', '')
        const plain = samples.map(({ labels, value }) => ({
          labels: Object.fromEntries(
            Object.entries(labels).map(([k, v]) => [k, v.replace(/[\r\u2028\u2029\v\f\u0085]/g, '')]),
          ),
          value,
        }))
        const family: MetricFamily = { name: 'a_b:c', help: clean, type: 'gauge', samples: plain }
        const back = read(expose([family])).get('a_b:c')!
        expect(back.help).toBe(clean)
        expect(back.lines.map(({ labels }) => labels)).toEqual(plain.map(({ labels }) => ({ ...labels })))
        back.lines.forEach(({ value }, index) => {
          expect(value === plain[index]!.value || Object.is(value, plain[index]!.value) || value === 0).toBe(true)
        })
      }),
    )
  })

  it('has cumulative buckets in histograms, the last of which is the count', () => {
    const text = expose([
      histogram(
        'h',
        'help',
        [
          { upTo: 1, items: 2 },
          { upTo: 4, items: 0 },
          { upTo: 16, items: 3 },
        ],
        21,
      ),
    ])
    const { lines } = read(text).get('h')!
    expect(lines.map(({ name, labels, value }) => [name, labels['le'], value])).toEqual([
      ['h_bucket', '1', 2],
      ['h_bucket', '4', 2],
      ['h_bucket', '16', 5],
      ['h_bucket', '+Inf', 5],
      ['h_sum', undefined, 21],
      ['h_count', undefined, 5],
    ])
  })
})

describe('the metrics of a node', () => {
  const observation = {
    sourceId: 1,
    previousAt: 0,
    at: 3_600_000,
    newItems: 3,
    windowSize: 10,
    overlap: 'some' as const,
    lostAtLeast: 0,
    itemTimes: [0, 1_800_000, 3_599_500],
    notModified: false,
    bytes: 700,
    latencyMs: 1,
  }
  const ever = tallyOf(observation, { requests: 1, bytes: 700, repaired: 0, windowSize: 10 })
  const nothing = measureQuality({ ...NO_COUNTS, delays: [] })
  const text = expose(
    nodeMetrics({
      version: '1.2.3',
      counts: { sources: 2, items: 3, observations: 4 },
      buffer: { backlog: 7, capacity: 100, dropped: {}, readers: [] },
      ever,
      recent: { hour: measureQuality(ever), day: measureQuality(ever), week: nothing },
      refusals: [{ refused: 4_000 }, { refused: 20 }],
      refusedCalls: [{ door: 'hub', code: 'HUB_TOO_MANY', count: 9 }],
      health: {
        startedAt: () => 0,
        alarms: () => [{ code: 'DISK_FULL', ...ALARMS.DISK_FULL, since: 0, detail: '' }],
        layers: () => [{ name: 'queries', state: 'failing', failures: 3, lastFailure: null, retryAt: 1 }],
        surprises: () => 2,
        database: () => ({ checkedAt: 1_700_000_000_000, tookMs: 5, faults: ['row 7 missing'] }),
      },
    }),
  )

  it('are well formed, with a help for each, counters ending in _total', () => {
    const families = read(text)
    expect(families.size).toBeGreaterThan(15)
    for (const [name, { type, help }] of families) {
      expect(help).not.toBe('')
      expect(name.startsWith('headwater_')).toBe(true)
      expect(name.endsWith('_total')).toBe(type === 'counter')
    }
  })

  it('report alarms, failing layers and uncaught errors', () => {
    expect(text).toContain('headwater_alarm{code="DISK_FULL",severity="error"} 1\n')
    expect(text).toContain('headwater_alarm{code="DISK_NEARLY_FULL",severity="warning"} 0\n')
    expect(text).toContain('headwater_layer_failing{layer="queries"} 1\n')
    expect(text).toContain('headwater_layer_failures_total{layer="queries"} 3\n')
    expect(text).toContain('headwater_unexpected_errors_total 2\n')
    expect(text).toContain('headwater_database_check_timestamp_seconds 1700000000\n')
    expect(text).toContain('headwater_database_damaged 1\n')
  })

  it('hold the delays as a histogram in seconds', () => {
    const { lines } = read(text).get('headwater_item_delay_seconds')!
    const bucket = (le: string) => lines.find(({ labels }) => labels['le'] === le)?.value
    expect([bucket('1'), bucket('1024'), bucket('4096'), bucket('+Inf')]).toEqual([1, 1, 3, 3])
    expect(lines.find(({ name }) => name.endsWith('_sum'))!.value).toBeCloseTo(5400.5, 6)
    const limits = lines.filter(({ name }) => name.endsWith('_bucket')).map(({ labels }) => readNumber(labels['le']!))
    expect([...limits].sort((a, b) => a - b)).toEqual(limits)
  })

  it('leave out periods in which nothing could be measured', () => {
    const { lines } = read(text).get('headwater_completeness_ratio')!
    expect(lines.map(({ labels, value }) => [labels['over'], value])).toEqual([
      ['hour', 1],
      ['day', 1],
    ])
  })
})
