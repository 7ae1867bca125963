import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { TRACES_ABSENT } from '../../../test/support/traces-absent.ts'
import { tracesPresent } from '../../traces/trace-set.ts'
import type { ExperimentResult } from '../experiment.ts'
import { CONFIG } from './config.ts'
import { compareWays, experiment, waysTable } from './experiment.ts'
import { drawnWorld, type NamedWorld, recordedWorlds } from './worlds.ts'

const expected = JSON.parse(readFileSync(new URL('expected.json', import.meta.url), 'utf8')) as ExperimentResult
const SCARCE = CONFIG.perDay.filter((perDay) => perDay <= CONFIG.scarcePerDay)

/** All budgets take a minute: the scarce ones say whether it is as it was. */
async function expectAsBefore(worlds: readonly NamedWorld[]): Promise<void> {
  for (const [index, result] of (await compareWays(worlds, 1, { seeds: 1 }, SCARCE)).entries()) {
    const before = expected.tables.find(({ title }) => title.startsWith(`${worlds[index]!.name}:`))!
    expect(waysTable(result).rows).toEqual(before.rows.slice(0, SCARCE.length))
  }
}

describe(experiment.title, () => {
  it('gives what it gave before on drawn feeds', () =>
    expectAsBefore([drawnWorld('steady', 1), drawnWorld('changing', 1)]))

  it.skipIf(!tracesPresent(CONFIG.traces))(`and on recorded feeds (${TRACES_ABSENT})`, async () =>
    expectAsBefore(await recordedWorlds(1)),
  )

  it('holds what the thesis says of them', () => {
    expect(expected.claims).toHaveLength(4)
    expect(expected.claims.filter(({ holds }) => !holds)).toEqual([])
  })
})
