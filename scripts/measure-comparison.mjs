// Measures what docs/compared-with.md shows, and writes it down with the command and the day:
//   npm run docs:compare [-- --out FILE --short]
// It needs the recorded feeds of ../shared/traces; what is written is committed, so that the site needs none of them.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const traces = ['github-commits-2025', 'rss-2023'].map((name) => `../shared/traces/${name}/trace.csv.gz`)
const { values } = parseArgs({ options: { out: { type: 'string' }, short: { type: 'boolean' } } })
const policies =
  'foresight,uniform,two-steps,scc07-combined,lambdacrawl,adaptive-ttl,miniflux,freshrss,commafeed,newsblur,ttrss,clairvoyant'
const words = [
  'lab',
  'compare',
  '--trace',
  ...traces,
  '--per-day',
  '4,24',
  '--most-requests',
  values.short ? '500' : '30000',
]
words.push('--policies', values.short ? 'foresight,uniform' : policies)
// A checkout may have its traces elsewhere.
const elsewhere = process.env['HEADWATER_TRACES']
const given = words.map((word) => (elsewhere === undefined ? word : word.replace('../shared/traces', elsewhere)))
const { status, stdout } = spawnSync(process.execPath, [`${root}dist/bin/headwater.js`, ...given, '--json'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
  maxBuffer: 2 ** 28,
})
if (status !== 0) process.exit(status ?? 1)

const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const { traces: measured = [], claims = [] } = JSON.parse(String(stdout))
const figures = measured.map(({ trace, sources, items, window, measuredDays, budgets }) => ({
  trace: trace.replace(/^.*traces\//, '').replace(/\/trace\.csv\.gz$/, ''),
  sources,
  items,
  window,
  measuredDays,
  budgets: budgets.map(({ perDay, drawnSources, policies }) => ({
    perDay,
    drawnSources,
    policies: policies.map(
      ({ policy, requests, meanDelayMinutes, medianDelayMinutes, p95DelayMinutes, lostShare }) => ({
        policy,
        requests,
        meanDelayMinutes,
        medianDelayMinutes,
        p95DelayMinutes,
        lostShare,
      }),
    ),
  })),
}))
const written = {
  command: `headwater ${words.join(' ')} --json`,
  date: new Date().toISOString().slice(0, 10),
  version,
  traces: figures,
  claims: claims.map(({ text, verdict }) => ({ text, verdict })),
}
writeFileSync(values.out ?? `${root}docs/data/compared.json`, `${JSON.stringify(written, null, 1)}\n`)
