import { DAY_MS, type SourceId } from '../../../src/model/index.ts'
import { poissonTimes } from '../../simulator/poisson.ts'
import { sourceRandom } from '../../simulator/priced-run.ts'
import { type SimSource, simSource } from '../../simulator/world.ts'
import { CONFIG } from './config.ts'

/** The sources of one member; each member has numbers of its own, so that the same sources can be tried alone. */
export interface PayingMember {
  readonly payer: number
  readonly sources: readonly SimSource[]
}

const { startMs, days, modest } = CONFIG
const endMs = startMs + days * DAY_MS

export function modestMember(payer: number, sources: number, seed: number): PayingMember {
  const random = sourceRandom(seed, payer)
  const spread = Math.log(modest.mostPerDay / modest.leastPerDay)
  const perDay = () => modest.leastPerDay * Math.exp(random() * spread)
  return { payer, sources: numbered(payer, sources, () => poissonTimes(perDay() / DAY_MS, startMs, endMs, random)) }
}

export function fastMember(payer: number, sources: number, perDay: number, seed: number): PayingMember {
  const random = sourceRandom(seed, payer)
  return { payer, sources: numbered(payer, sources, () => poissonTimes(perDay / DAY_MS, startMs, endMs, random)) }
}

export function idsOf(members: readonly PayingMember[]): readonly SourceId[] {
  return members.flatMap(({ sources }) => sources.map(({ id }) => id))
}

function numbered(payer: number, count: number, times: () => Float64Array): SimSource[] {
  return Array.from({ length: count }, (_, index) => simSource(payer * 10_000 + index, times(), modest.windowSize))
}
