import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ExperimentResult } from '../experiment.ts'
import { shapeOf } from './euclidean.ts'
import { experiment } from './experiment.ts'
import { drawWorld, meshOf } from './jaccard.ts'

const expected = JSON.parse(readFileSync(new URL('expected.json', import.meta.url), 'utf8')) as ExperimentResult

describe('topologies (1.6.2, Figure 1.6)', () => {
  it('go from a star over clusters to a random tree as α grows, as they did before', async () => {
    const progress: number[] = []
    const result = await experiment.run({ seeds: experiment.defaultSeeds, progress: (done) => progress.push(done) })
    expect(result.claims.filter(({ holds }) => !holds)).toEqual([])
    expect(result.claims).toHaveLength(7)
    const segments = result.series.filter(({ style }) => style === 'segments')
    expect({ ...result, series: result.series.filter(({ style }) => style !== 'segments') }).toEqual(expected)
    expect(segments.map(({ x }) => x.length)).toEqual([3_998, 3_998, 3_998])
    const sum = createHash('sha256').update(JSON.stringify(segments.map(({ x, y }) => [x, y])))
    expect(sum.digest('hex').slice(0, 16)).toBe('9be501d0b766847c')
    expect(progress.at(-1)).toBe(1)
  })

  it('measures what it says: a star of four, and a chain', () => {
    const onALine = { x: Float64Array.from([0, 0.3, 0.6, 0.9]), y: new Float64Array(4) }
    expect(shapeOf(onALine, 0.5, 3).shape).toMatchObject({ rootReaders: 3, hubs: 1, leafShare: 0.75, meanHops: 1 })
    const chain = shapeOf(onALine, 100, 3).shape
    expect(chain).toMatchObject({ rootReaders: 1, hubs: 0, leafShare: 0.25, meanHops: 2, atLeast: [3] })
    expect(chain.meanEdge).toBeCloseTo(0.3, 12)
  })

  it('leaves feeds outside every radius without a source', () => {
    const config = { sources: 3, queries: 20, dictionary: 10, sourceShare: 0.5, queryShare: 0.4 }
    const world = drawWorld(config, 1)
    expect(meshOf(world, 4, -1)).toMatchObject({ unconnectedShare: 1, sourcesPerFeed: 0, deliveredShare: 1 })
    expect(meshOf(world, 4, 1)).toMatchObject({ unconnectedShare: 0, sourcesPerFeed: 3 })
  })
})
