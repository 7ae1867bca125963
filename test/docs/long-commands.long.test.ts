import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DocsStage, openDocsStage } from './stage.ts'

/** What documents show and takes minutes, with as little to do as it lets itself be given. */
const COMMANDS: readonly string[] = [
  'headwater lab run divergence-error --seeds 1 --json -',
  'headwater lab run all --html report.html',
  'headwater lab compare --trace trace.csv.gz --per-day 4,24 --window 20 --policies uniform,two-steps',
  'headwater lab compare --trace trace.csv.gz --policies foresight --per-day 4',
  'headwater lab compare --trace a.csv.gz b.csv.gz --per-day 24 --policies uniform,two-steps --html compare.html',
  'headwater lab compare --trace a.csv.gz --per-day 4 --window 10 --most-requests 4000 --policies foresight --ablations --rounding --newcomers 1 --followed --burst 1,60 --html compare.html --json compare.json',
]
const BENCHES = [
  'headwater bench parse --json',
  'headwater bench articles --json',
  'headwater bench crawl --json',
  'headwater bench store --json',
  // With a database far enough away that its verdict does not hang on how busy the machine is.
  'headwater bench terminals --json --feeds 40 --terminals 2 --rounds 1 --latency 20 --round-trip 5',
  'headwater bench calm --json --feeds 50 --refreshes 500 --archived 2000 --readers 5 --users 2',
  'headwater bench web --json',
  'headwater bench match --json --queries 1000',
  'headwater bench join --json',
  'headwater bench schedule --json --sources 1000',
]
/** What is for the whole checkout, in it. */
const SCRIPTS = [
  'npm run attack -- --json --short --only csrf',
  'npm run attack -- --short --only greedy',
  'npm run bench:against -- HEAD --benches schedule --turns 1 --json -- --sources 1000',
  'npm run corpora',
  'npm run corpora -- articles --json --memory 400',
  'npm run sbom',
  'npm run tasks -- --json',
  'npm run screenshots -- --only overview --to dist/pictures',
  'npm run shape -- --json',
  'npm run test:time -- --times 2 --busy 2 src/runtime/work-queue',
  'npx vitest run src/runtime/work-queue.test.ts',
]
const ROOT = join(import.meta.dirname, '../..')
const TRACE = join(import.meta.dirname, '../../../shared/traces/rss-2024/trace.csv.gz')
const LIVE = [
  'headwater bench live --json --feeds 20 --days 2 --per-day 4',
  'headwater bench live-http --json --feeds 20 --days 1 --speed 5000',
]
/** Experiments take minutes, also on a machine to themselves. */
const PATIENCE_MS = 1_500_000

let stage: DocsStage
beforeAll(async () => {
  stage = await openDocsStage(PATIENCE_MS)
})
afterAll(() => stage.close())

async function expectDone(command: string): Promise<string> {
  const ran = await stage.run(command)
  expect(ran.code, `${command}\n${ran.out}${ran.err}`).toBe(0)
  return ran.out
}

function inCheckout(command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('bash', ['-c', command], { cwd: ROOT, timeout: PATIENCE_MS }, (error, out, err) =>
      error ? reject(new Error(`${command}\n${out}${err}`)) : resolve(out),
    )
  })
}

describe('long commands of README and docs', () => {
  it.each(COMMANDS)('%s', async (command) => {
    expect(await expectDone(command)).not.toBe('')
  })

  it.each(BENCHES)('%s', async (command) => {
    expect(JSON.parse(await expectDone(command))).toBeTypeOf('object')
  })

  it.skipIf(!existsSync(TRACE)).each(LIVE)('%s (skipped without ../shared/traces: it replays one)', async (command) => {
    expect(JSON.parse(await expectDone(`${command} --trace '${TRACE}'`))).toBeTypeOf('object')
  })

  it.skipIf(!existsSync(TRACE))('npm run docs:compare (skipped without ../shared/traces)', async () => {
    const file = join(stage.folder, 'compared.json')
    await inCheckout(`npm run docs:compare -- --short --out '${file}'`)
    expect(JSON.parse(readFileSync(file, 'utf8')).traces).toHaveLength(2)
  })

  it.each(SCRIPTS)('%s', async (command) => {
    const output = await inCheckout(command)
    expect(output).not.toBe('')
  })
})
