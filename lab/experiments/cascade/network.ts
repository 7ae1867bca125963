import { entryAt } from '../../../src/model/entry-at.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/model/index.ts'
import { levels } from '../../../src/network/index.ts'
import { uniform } from '../../../src/refresh/strategies/uniform.ts'
import type { Table } from '../../report/types.ts'
import { endToEndDelaysMs, runCascade } from '../../simulator/cascade.ts'
import { drawTopology } from '../../simulator/draw-topology.ts'
import { poissonTimes } from '../../simulator/poisson.ts'
import { sourceRandom } from '../../simulator/priced-run.ts'
import { type SimWorld, simSource } from '../../simulator/world.ts'
import type { PaperClaim } from '../experiment.ts'
import { roundToDigits } from '../traces/rounded.ts'
import { CONFIG } from './config.ts'

/** Networks of one α, over all seeds. */
interface AlphaFigures {
  readonly alpha: number
  /** By level: how many nodes a network has there, and how late items are. */
  readonly byLevel: readonly { readonly level: number; readonly nodes: number; readonly delayMinutes: number }[]
  readonly meanLevel: number
  readonly delayMinutes: number
  /** To the sources, a day and network. */
  readonly sourceRequests: number
}

interface NodeFigures {
  readonly level: number
  readonly delayMinutes: number
  readonly sourceRequests: number
}

export function measureNetworks(seeds: number): readonly AlphaFigures[] {
  return CONFIG.network.alphas.map((alpha) => {
    const nodes = Array.from({ length: seeds }, (_, index) => nodesOf(alpha, index + 1)).flat()
    const depths = [...new Set(nodes.map(({ level }) => level))].sort((a, b) => a - b)
    const byLevel = depths.map((level) => {
      const there = nodes.filter((node) => node.level === level)
      return { level, nodes: there.length / seeds, delayMinutes: mean(there.map(({ delayMinutes }) => delayMinutes)) }
    })
    return {
      alpha,
      byLevel,
      meanLevel: mean(nodes.map(({ level }) => level)),
      delayMinutes: mean(nodes.map(({ delayMinutes }) => delayMinutes)),
      sourceRequests: nodes.reduce((sum, node) => sum + node.sourceRequests, 0) / seeds,
    }
  })
}

function nodesOf(alpha: number, seed: number): NodeFigures[] {
  const { nodes, sources, days } = CONFIG.network
  const graph = drawTopology({ nodes, sources, alpha, seed })
  const world = drawSources(seed)
  const price = CONFIG.intervalMinutes * MINUTE_MS
  const windowSize = Math.max(...CONFIG.windows)
  const outcome = runCascade({ world, graph, seed, aggregator: () => ({ strategy: uniform, price, windowSize }) })
  const level = levels(graph)
  return Array.from({ length: nodes }, (_, node) => {
    const feed = sources + node
    const inputs = entryAt(graph.inputs, feed)
    const fromSources = inputs.filter((input) => input < sources).length / Math.max(1, inputs.length)
    return {
      level: level[feed] ?? 0,
      delayMinutes: mean([...endToEndDelaysMs(outcome, feed)]) / MINUTE_MS,
      sourceRequests: (entryAt(outcome.feeds, feed).requests * fromSources) / days,
    }
  }).filter((figures) => figures.level > 0)
}

function drawSources(seed: number): SimWorld {
  const { sources, itemsPerDay, days } = CONFIG.network
  const endMs = days * DAY_MS
  return {
    startMs: 0,
    endMs,
    sources: Array.from({ length: sources }, (_, id) =>
      simSource(id, poissonTimes(itemsPerDay / DAY_MS, 0, endMs, sourceRandom(seed, id)), CONFIG.sourceWindow),
    ),
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export function networkTable(networks: readonly AlphaFigures[]): Table {
  const { nodes, sources } = CONFIG.network
  return {
    title: `Networks of ${nodes} nodes over ${sources} sources, every feed read once in ${CONFIG.intervalMinutes} min`,
    columns: ['α', 'level', 'nodes', 'end to end, min'],
    rows: networks.flatMap(({ alpha, byLevel }) =>
      byLevel.map((each) => [alpha, each.level, roundToDigits(each.nodes, 2), roundToDigits(each.delayMinutes, 1)]),
    ),
  }
}

export function networkClaim(networks: readonly AlphaFigures[]): PaperClaim {
  const first = entryAt(networks, 0)
  const last = networks.at(-1) ?? first
  const figures = networks.flatMap(({ alpha, meanLevel, delayMinutes, sourceRequests }) => [
    [`α ${alpha}: mean level`, roundToDigits(meanLevel, 2)] as const,
    [`α ${alpha}: end to end, min`, roundToDigits(delayMinutes, 1)] as const,
    [`α ${alpha}: requests to sources a day`, roundToDigits(sourceRequests, 1)] as const,
  ])
  return {
    text: 'the more being alike weighs against being near, the deeper the network: fewer requests to the sources, later items',
    holds:
      last.meanLevel > first.meanLevel &&
      last.delayMinutes > 1.2 * first.delayMinutes &&
      last.sourceRequests < 0.8 * first.sourceRequests,
    figures: Object.fromEntries(figures),
  }
}
