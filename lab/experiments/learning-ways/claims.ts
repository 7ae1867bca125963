import { entryAt, propertyAt } from '../../../src/model/entry-at.ts'
import type { PaperClaim } from '../experiment.ts'
import { roundToDigits } from '../traces/rounded.ts'
import { CONFIG } from './config.ts'
import type { Quality } from './measure.ts'

export interface WorldResult {
  readonly name: string
  readonly budgets: readonly number[]
  /** By way of learning, in the order of the budgets. */
  readonly ways: Readonly<Record<string, readonly Quality[]>>
}

/** Less than this of completeness is a tie. */
const TIE = 0.002
const NEAR = 1.15

export function claimsOf(results: readonly WorldResult[]): PaperClaim[] {
  return [
    frozenLosesOnChange(results),
    repeatedFollows(results),
    moreBandwidthLearnsMore(results),
    alikeInPlenty(results),
  ]
}

function frozenLosesOnChange(results: readonly WorldResult[]): PaperClaim {
  const ratio = (world: string) => meanRatio(find(results, world), 'freeze', 'online')
  const [steady, changing] = [ratio('drawn, steady'), ratio('drawn, changing')]
  return {
    text: 'a frozen model gives good results for feeds that do not change, and is not reliable for those that do',
    holds: steady < 1.1 && changing > 1.1 * steady,
    figures: {
      'delay beside online, steady': roundToDigits(steady),
      'delay beside online, changing': roundToDigits(changing),
    },
  }
}

function repeatedFollows(results: readonly WorldResult[]): PaperClaim {
  const world = find(results, 'drawn, changing')
  const ratios = ratiosOf(world, 'repeated', 'freeze')
  return {
    text: 'periods of learning that are repeated bring models up to date: on feeds that change they beat one that was frozen',
    holds: ratios.every((ratio) => ratio < 1),
    figures: { 'delay of repeated beside freeze': ratios.map((ratio) => roundToDigits(ratio)).join(' ') },
  }
}

function moreBandwidthLearnsMore(results: readonly WorldResult[]): PaperClaim {
  const stable = results.filter(({ name }) => name !== 'drawn, changing')
  const gains = stable.flatMap(({ ways, budgets }) =>
    budgets.flatMap((perDay, index) =>
      perDay > CONFIG.scarcePerDay
        ? []
        : [entryAt(propertyAt(ways, 'freeze ×4'), index).completeness - entryAt(ways.freeze!, index).completeness],
    ),
  )
  return {
    text: 'where bandwidth is scarce, more of it for a limited period of learning makes a frozen model lose less',
    holds: gains.every((gain) => gain > -TIE) && Math.max(...gains) > TIE,
    figures: { 'completeness gained': gains.map((gain) => gain.toFixed(3)).join(' ') },
  }
}

function alikeInPlenty(results: readonly WorldResult[]): PaperClaim {
  const last = (world: WorldResult, way: string) => ratiosOf(world, way, 'online').at(-1)!
  const ratios = results.flatMap((world) => [last(world, 'separate'), last(world, 'repeated')])
  return {
    text: 'with four refreshes a day all ways that go on learning do alike: what is set aside for it costs at most 15 % of delay',
    holds: ratios.every((ratio) => ratio < NEAR),
    figures: { 'delay beside online': ratios.map((ratio) => roundToDigits(ratio)).join(' ') },
  }
}

function find(results: readonly WorldResult[], name: string): WorldResult {
  return results.find((result) => result.name === name)!
}

function ratiosOf({ ways }: WorldResult, way: string, other: string): number[] {
  return propertyAt(ways, way).map(({ delay }, index) => delay / entryAt(propertyAt(ways, other), index).delay)
}

/** Geometric, over all budgets. */
function meanRatio(world: WorldResult, way: string, other: string): number {
  const ratios = ratiosOf(world, way, other)
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)
}
