import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from './stage.ts'

/** What documents show and takes minutes, with as little to do as it lets itself be given. */
const COMMANDS: readonly string[] = [
  'headwater lab run divergence-error --seeds 1 --json -',
  'headwater lab compare --trace trace.csv.gz --per-day 4,24 --window 20 --policies uniform,two-steps',
  'headwater lab compare --trace trace.csv.gz --policies foresight --per-day 4',
  'headwater lab compare --trace a.csv.gz b.csv.gz --per-day 24 --policies uniform,two-steps --html compare.html',
  'headwater lab compare --trace a.csv.gz --per-day 4 --window 10 --most-requests 4000 --policies foresight --ablations --rounding --newcomers 1 --followed --burst 1,60 --html compare.html --json compare.json',
]
const BENCHES = [
  'headwater bench parse --json',
  'headwater bench crawl --json',
  'headwater bench store --json',
  'headwater bench calm --json --feeds 50 --refreshes 500 --archived 2000 --readers 5 --users 2',
  'headwater bench web --json',
]
const TRACE = join(import.meta.dirname, '../../../shared/traces/rss-2024/trace.csv.gz')
const LIVE = 'headwater bench live --json --feeds 20 --days 2 --per-day 4'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

async function expectDone(command: string): Promise<string> {
  const ran = await stage.run(command)
  expect(ran.code, `${command}\n${ran.out}${ran.err}`).toBe(0)
  return ran.out
}

describe('long commands of README and docs', () => {
  it.each(COMMANDS)('%s', async (command) => {
    expect(await expectDone(command)).not.toBe('')
  })

  it.each(BENCHES)('%s', async (command) => {
    expect(JSON.parse(await expectDone(command))).toBeTypeOf('object')
  })

  it.skipIf(!existsSync(TRACE))(`${LIVE} (skipped without ../shared/traces: it replays one)`, async () => {
    expect(JSON.parse(await expectDone(`${LIVE} --trace '${TRACE}'`))).toBeTypeOf('object')
  })
})
