import { entryAt } from '../../../src/model/entry-at.ts'
import type { Series, Table } from '../../report/types.ts'
import type { Experiment, ExperimentResult, PaperClaim } from '../experiment.ts'
import { CONFIG } from './config.ts'
import { type Drawing, drawing, pointsOf, type SpaceShape, shapeOf } from './euclidean.ts'
import { drawWorld, type Mesh, mean, meshOf } from './jaccard.ts'

interface MeshMeasures {
  /** By α, one shape per seed. */
  readonly shapes: readonly (readonly SpaceShape[])[]
  readonly drawings: readonly { readonly alpha: number; readonly edges: Drawing }[]
  /** By radius at the usual α, and by α at the usual radius; one mesh per seed. */
  readonly byRadius: readonly (readonly Mesh[])[]
  readonly byAlpha: readonly (readonly Mesh[])[]
}

export const experiment: Experiment = {
  id: 'topologies',
  title: 'How α and the radius shape the aggregation network',
  paper: 'thesis 1.6.2, Figure 1.6',
  defaultSeeds: 1,
  async run({ seeds, signal, progress }) {
    const { euclidean, jaccard } = CONFIG
    const steps = seeds * (euclidean.alphas.length + jaccard.radii.length + jaccard.alphas.length)
    let done = 0
    const step = async () => {
      progress?.(++done / steps)
      // Others may run between two measurements.
      await Promise.resolve()
      signal?.throwIfAborted()
    }
    const shapes: SpaceShape[][] = euclidean.alphas.map(() => [])
    const byRadius: Mesh[][] = jaccard.radii.map(() => [])
    const byAlpha: Mesh[][] = jaccard.alphas.map(() => [])
    const drawings: { alpha: number; edges: Drawing }[] = []
    for (let seed = 1; seed <= seeds; seed++) {
      const points = pointsOf(euclidean.nodes, seed)
      for (const [index, alpha] of euclidean.alphas.entries()) {
        const { shape, tree } = shapeOf(points, alpha, euclidean.hubReaders)
        entryAt(shapes, index).push(shape)
        if (seed === 1 && (euclidean.drawnAlphas as readonly number[]).includes(alpha)) {
          drawings.push({ alpha, edges: drawing(points, tree, euclidean.drawnNodes) })
        }
        await step()
      }
      const world = drawWorld(jaccard, seed)
      for (const [index, radius] of jaccard.radii.entries()) {
        entryAt(byRadius, index).push(meshOf(world, jaccard.alpha, radius))
        await step()
      }
      for (const [index, alpha] of jaccard.alphas.entries()) {
        entryAt(byAlpha, index).push(meshOf(world, alpha, jaccard.radius))
        await step()
      }
    }
    return resultOf({ shapes, drawings, byRadius, byAlpha })
  },
}

function resultOf(measured: MeshMeasures): ExperimentResult {
  const { shapes, drawings, byRadius, byAlpha } = measured
  return {
    tables: [shapeTable(shapes), meshTable('radius', byRadius), meshTable('alpha', byAlpha)],
    series: [...shapes.slice(1).map(degreeSeries), ...drawings.map(treeSeries), ...meshSeries(byRadius, byAlpha)],
    claims: [
      starClaim(entryAt(shapes, 0)),
      centreClaim(shapes),
      clusterClaim(shapes),
      tailClaim(shapes),
      randomClaim(shapes.at(-1)!),
      radiusClaim(byRadius),
      likenessClaim(byAlpha),
    ],
    deviations: [
      'The thesis shows pictures only; readers, hops, lengths of edges and fits are ours.',
      'It says that a network becomes random when α roughly exceeds √n. At α = √n = 100 hubs are gone and the tail is exponential, but readers are still shared out more unequally than in a random recursive tree; at ten times √n the two agree.',
      'The power law of α = 4 concerns few nodes: nearly all are leaves, as BBB+03, which the thesis cites, proved of this model. At α = 20 the number of nodes falls slowly up to about 30 readers and then ever faster: a power law with a cut-off at best.',
      'Laid over each other, the trees make longer ways than any one of them: see the deepest level beside the mean hops.',
      'A feed passes on what its own query selects, and the model does not ask that a parent wants what its child wants: the column "keywords delivered" shows what is lost by that. Broad queries joining first keep it small.',
    ],
  }
}

function shapeTable(shapes: MeshMeasures['shapes']): Table {
  return {
    title: `Figure 1.6: one tree of ${CONFIG.euclidean.nodes} points in the unit square`,
    columns: [
      'α',
      'readers of the root',
      'most readers',
      `nodes with ${CONFIG.euclidean.hubReaders} readers or more`,
      'leaves %',
      'mean hops',
      'mean edge',
      'R² power law',
      'R² exponential',
    ],
    rows: shapes.map(shapeRow),
  }
}

const shapeRow = (seeds: MeshMeasures['shapes'][number]) => [
  entryAt(seeds, 0).alpha,
  round(over(seeds, 'rootReaders'), 1),
  round(over(seeds, 'mostReaders'), 1),
  round(over(seeds, 'hubs'), 1),
  round(100 * over(seeds, 'leafShare'), 1),
  round(over(seeds, 'meanHops'), 2),
  round(over(seeds, 'meanEdge')),
  ...(entryAt(seeds, 0).powerLawFit === 0
    ? ['–', '–']
    : [round(over(seeds, 'powerLawFit'), 2), round(over(seeds, 'exponentialFit'), 2)]),
]

function meshTable(moved: 'alpha' | 'radius', meshes: readonly (readonly Mesh[])[]): Table {
  const { jaccard } = CONFIG
  const constant = moved === 'radius' ? `α = ${jaccard.alpha}` : `radius ${jaccard.radius}`
  return {
    title: `Profiles and Jaccard distance: ${jaccard.sources} sources, ${jaccard.queries} query feeds, ${constant}`,
    columns: [
      moved === 'radius' ? 'radius' : 'α',
      'sources per feed',
      'feeds read per feed',
      'without a source %',
      'sharing no keyword %',
      'distance to source',
      'distance to input',
      'mean hops',
      'deepest level',
      'keywords delivered %',
    ],
    rows: meshes.map((seeds) => [
      entryAt(seeds, 0)[moved],
      round(over(seeds, 'sourcesPerFeed'), 2),
      round(over(seeds, 'inputsPerFeed'), 2),
      round(100 * over(seeds, 'unconnectedShare'), 1),
      round(100 * over(seeds, 'strangerShare'), 1),
      round(over(seeds, 'distanceToSource'), 3),
      round(over(seeds, 'distanceToInput'), 3),
      round(over(seeds, 'meanHops'), 2),
      round(over(seeds, 'deepestLevel'), 1),
      round(100 * over(seeds, 'deliveredShare'), 2),
    ]),
  }
}

function starClaim(seeds: readonly SpaceShape[]): PaperClaim {
  const alpha = entryAt(seeds, 0).alpha
  return {
    text: 'A very small α makes a star: all feeds read the source itself',
    holds: seeds.every(({ rootReaders, meanHops }) => rootReaders === CONFIG.euclidean.nodes - 1 && meanHops === 1),
    figures: { [`readers of the root at α = ${alpha}`]: over(seeds, 'rootReaders') },
  }
}

function centreClaim(shapes: MeshMeasures['shapes']): PaperClaim {
  return {
    text: 'As α grows, being alike outweighs being central: edges become shorter, ways longer, the greatest hub smaller',
    holds:
      falls(shapes.map((seeds) => over(seeds, 'meanEdge'))) &&
      falls(shapes.map((seeds) => -over(seeds, 'meanHops'))) &&
      falls(shapes.map((seeds) => over(seeds, 'mostReaders'))),
    figures: byAlphaOf(shapes, 'mean edge', 'meanEdge'),
  }
}

function clusterClaim(shapes: MeshMeasures['shapes']): PaperClaim {
  const hubs = shapes.map((seeds) => over(seeds, 'hubs'))
  const [star, four, twenty, root, beyond] = hubs as [number, number, number, number, number]
  return {
    text: 'Between the star and √n the network is clustered round more and more hubs; from √n on there are none',
    holds: star === 1 && four > 5 * star && twenty > four && root === 0 && beyond === 0,
    figures: byAlphaOf(shapes, 'hubs', 'hubs'),
  }
}

function tailClaim(shapes: MeshMeasures['shapes']): PaperClaim {
  const at = (alpha: number) => shapes.find((seeds) => entryAt(seeds, 0).alpha === alpha)!
  const four = at(4)
  const beyond = shapes.slice(3)
  return {
    text: 'At α = 4 readers follow a power law (internet-like); from √n on their distribution is exponential',
    holds:
      four.every(({ powerLawFit, exponentialFit }) => powerLawFit > 0.9 && powerLawFit > exponentialFit) &&
      beyond.flat().every(({ powerLawFit, exponentialFit }) => exponentialFit > 0.95 && exponentialFit > powerLawFit),
    figures: {
      'R² power law at 4': round(over(four, 'powerLawFit'), 3),
      'R² exponential at 4': round(over(four, 'exponentialFit'), 3),
      'R² power law at 100': round(over(at(100), 'powerLawFit'), 3),
      'R² exponential at 100': round(over(at(100), 'exponentialFit'), 3),
    },
  }
}

/** In a random recursive tree a node has at least k readers with probability 2⁻ᵏ. */
function randomClaim(seeds: readonly SpaceShape[]): PaperClaim {
  const ratios = [1, 2, 3].map((k) =>
    mean(seeds.map(({ atLeast }) => (entryAt(atLeast, k - 1) / CONFIG.euclidean.nodes) * 2 ** k)),
  )
  return {
    text: 'Far beyond √n the tree tends to be random: a share of 2⁻ᵏ of its nodes has k readers or more (within 10 %)',
    holds: ratios.every((ratio) => Math.abs(ratio - 1) < 0.1),
    figures: Object.fromEntries(ratios.map((ratio, index) => [`share / 2⁻ᵏ, k = ${index + 1}`, round(ratio, 3)])),
  }
}

function radiusClaim(byRadius: MeshMeasures['byRadius']): PaperClaim {
  const within = byRadius.filter((seeds) => entryAt(seeds, 0).radius < 1)
  const sources = byRadius.map((seeds) => over(seeds, 'sourcesPerFeed'))
  return {
    text: 'The radius trades reach for likeness: a smaller one gives fewer and nearer sources, and below 1 each shares a keyword',
    holds:
      falls(sources.map((count) => -count)) &&
      falls(byRadius.map((seeds) => -over(seeds, 'distanceToSource'))) &&
      within.flat().every(({ strangerShare }) => strangerShare === 0),
    figures: Object.fromEntries(
      byRadius.map((seeds, index) => [
        `sources per feed at ${entryAt(seeds, 0).radius}`,
        round(entryAt(sources, index), 2),
      ]),
    ),
  }
}

function likenessClaim(byAlpha: MeshMeasures['byAlpha']): PaperClaim {
  return {
    text: 'With profiles too: as α grows feeds read likelier feeds, farther from the sources, and need fewer subscriptions',
    holds:
      falls(byAlpha.map((seeds) => over(seeds, 'distanceToInput'))) &&
      falls(byAlpha.map((seeds) => -over(seeds, 'meanHops'))) &&
      falls(byAlpha.map((seeds) => over(seeds, 'inputsPerFeed'))),
    figures: Object.fromEntries(
      byAlpha.map((seeds) => [
        `feeds read per feed at α = ${entryAt(seeds, 0).alpha}`,
        round(over(seeds, 'inputsPerFeed'), 2),
      ]),
    ),
  }
}

function degreeSeries(seeds: readonly SpaceShape[]): Series {
  const { alpha, atLeast } = entryAt(seeds, 0)
  // Long flat steps need their ends only.
  const steps = atLeast.flatMap((count, index) => (count !== atLeast[index + 1] ? [index] : []))
  return {
    figure: '1.6: distribution of readers',
    name: `α = ${alpha}`,
    xLabel: 'readers (outdegree), at least',
    yLabel: 'nodes',
    x: steps.map((index) => index + 1),
    y: steps.map((index) => entryAt(atLeast, index)),
    log: 'xy',
  }
}

function treeSeries({ alpha, edges }: MeshMeasures['drawings'][number]): Series {
  return {
    figure: `1.6: topology at α = ${alpha}, its first ${CONFIG.euclidean.drawnNodes} nodes`,
    name: 'subscriptions',
    xLabel: 'x',
    yLabel: 'y',
    ...edges,
    log: 'none',
    style: 'segments',
  }
}

function meshSeries(byRadius: MeshMeasures['byRadius'], byAlpha: MeshMeasures['byAlpha']): Series[] {
  const curve = (moved: 'alpha' | 'radius', name: string, key: 'sourcesPerFeed' | 'inputsPerFeed'): Series => {
    const meshes = moved === 'radius' ? byRadius : byAlpha
    return {
      figure: moved === 'radius' ? 'Radius and subscriptions' : 'α and subscriptions',
      name,
      xLabel: moved === 'radius' ? 'radius' : 'α',
      yLabel: 'per query feed',
      x: meshes.map((seeds) => entryAt(seeds, 0)[moved]),
      y: meshes.map((seeds) => round(over(seeds, key), 3)),
    }
  }
  return (['radius', 'alpha'] as const).flatMap((moved) => [
    curve(moved, 'sources that reach it', 'sourcesPerFeed'),
    curve(moved, 'feeds it reads', 'inputsPerFeed'),
  ])
}

function byAlphaOf(shapes: MeshMeasures['shapes'], name: string, key: 'meanEdge' | 'hubs'): Record<string, number> {
  return Object.fromEntries(
    shapes.map((seeds) => [`${name} at α = ${entryAt(seeds, 0).alpha}`, round(over(seeds, key))]),
  )
}

function over<K extends string>(seeds: readonly Readonly<Record<K, number>>[], key: K): number {
  return mean(seeds.map((seed) => seed[key]))
}

function falls(values: readonly number[]): boolean {
  return values.every((value, index) => index === 0 || value < entryAt(values, index - 1))
}

function round(value: number, digits = 4): number {
  return Number(value.toFixed(digits))
}
