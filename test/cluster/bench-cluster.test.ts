import { expect, it } from 'vitest'
import { failures, runBench } from './bench-run.ts'

it('a cluster whose members and database are killed and stopped loses and doubles nothing', async () => {
  const figures = await runBench({ mixed: 2, seconds: 5, faults: ['kill', 'stop', 'postgres'] })
  expect(figures.verdict.claims.filter(({ holds }) => !holds)).toEqual([])
  expect(new Set(figures.faults.map(({ fault }) => fault))).toEqual(new Set(['kill', 'stop', 'postgres']))
  expect(figures.faults.filter(({ shards }) => shards > 0).length).toBeGreaterThanOrEqual(2)
  for (const count of [figures.items, figures.publications, figures.messages]) expect(count).toBeGreaterThan(0)
})

it('without the fence a killed crawler writes over what another has stored', async () => {
  const figures = await runBench({ seconds: 1, break: 'fence' })
  expect(failures(figures)).toContain('refreshesSetBack')
})
