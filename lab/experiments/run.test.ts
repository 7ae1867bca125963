import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EXPERIMENT_IDS, loadExperiment } from './index.ts'
import { runExperiments } from './run.ts'
import { editDistance, suggestions } from './suggest.ts'

describe('the list of experiments', () => {
  it('names every folder with an experiment, each by its own id', async () => {
    const folders = readdirSync(import.meta.dirname).filter((name) =>
      existsSync(join(import.meta.dirname, name, 'experiment.ts')),
    )
    expect([...EXPERIMENT_IDS].sort()).toEqual(folders.sort())
    for (const id of EXPERIMENT_IDS) expect((await loadExperiment(id))?.id).toBe(id)
  })

  it('knows nothing by other names', async () => {
    expect(await loadExperiment('nonsense')).toBeNull()
    expect(await loadExperiment('toString')).toBeNull()
  })

  it.each([
    ['topology', ['topologies']],
    ['divergence', ['estimated-divergence', 'divergence-error']],
    ['Topologies', ['topologies']],
    ['something else altogether', []],
  ])('for "%s" suggests %s', (name, expected) => {
    const known = ['topologies', 'estimated-divergence', 'divergence-error', 'table-4.1']
    expect(suggestions(name, known)).toEqual(expected)
  })

  it('counts letters to change', () => {
    expect(editDistance('kitten', 'sitting')).toBe(3)
    expect(editDistance('', 'abc')).toBe(3)
    expect(editDistance('same', 'same')).toBe(0)
  })
})

describe('running in threads', () => {
  it('gives the same as in this one, in the order asked for, with progress', async () => {
    const progress = new Map<string, number>()
    const jobs = [
      { id: 'periodic-robustness', seeds: 1 },
      { id: 'periodic-robustness', seeds: 2 },
    ]
    const results = await runExperiments(jobs, { progress: (id, done) => progress.set(id, done), parallel: 2 })
    expect(progress.get('periodic-robustness')).toBe(1)
    for (const [index, { id, seeds }] of jobs.entries()) {
      expect(results[index]).toEqual(await (await loadExperiment(id))!.run({ seeds }))
    }
  })

  it('says which experiment failed, and why', async () => {
    await expect(runExperiments([{ id: 'nonsense', seeds: 1 }])).rejects.toThrow(/nonsense failed: .*no experiment/s)
  })

  it('ends when it is told to', async () => {
    const stopping = new AbortController()
    const running = runExperiments([{ id: 'topologies', seeds: 10 }], {
      signal: stopping.signal,
      progress: () => stopping.abort(new Error('enough')),
    })
    await expect(running).rejects.toThrow('enough')
  })
})
