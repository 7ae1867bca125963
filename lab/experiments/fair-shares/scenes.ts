import type { SimSource } from '../../simulator/world.ts'
import { CONFIG } from './config.ts'
import type { FairShareSetup } from './measure.ts'
import { fastMember, idsOf, modestMember, type PayingMember } from './world.ts'

/** One way to be greedy; what the other members have stays the same. */
export interface Greed {
  readonly name: string
  readonly greedy: (seed: number) => PayingMember
  readonly scene: (greedy: PayingMember, others: readonly PayingMember[]) => Partial<FairShareSetup>
}

const { greedy, modest } = CONFIG
const usual = (seed: number) => modestMember(greedy.payer, greedy.usual, seed)
const many = (seed: number) => modestMember(greedy.payer, greedy.many, seed)
const isGreedys = ({ id }: SimSource) => id >= greedy.payer * 10_000
const asking = (ids: readonly number[]) => ({ asking: { by: greedy.payer, ids, everyMs: greedy.askEveryMs } })

export function othersOf(sources: number, seed: number): readonly PayingMember[] {
  return Array.from({ length: modest.members }, (_, index) => modestMember(index + 1, sources, seed))
}

export const OF_INTERVAL: Greed = {
  name: 'ten sources of interval 1 s',
  greedy: (seed) => modestMember(greedy.payer, greedy.ofInterval.sources, seed),
  scene: () => ({ intervalMs: (source) => (isGreedys(source) ? greedy.ofInterval.intervalMs : null) }),
}

export const MANY: Greed = { name: '1,000 sources', greedy: many, scene: () => ({}) }

export const GREEDS: readonly Greed[] = [
  { name: 'as modest as the others', greedy: usual, scene: () => ({}) },
  OF_INTERVAL,
  MANY,
  {
    name: '100 fast publishers',
    greedy: (seed) => fastMember(greedy.payer, greedy.fast.sources, greedy.fast.perDay, seed),
    scene: () => ({}),
  },
  {
    name: 'own sources by hand, every ten seconds',
    greedy: usual,
    scene: (member) => asking(idsOf([member])),
  },
  {
    name: "the others' sources by hand, every ten seconds",
    greedy: usual,
    scene: (_, others) => asking(idsOf(others)),
  },
  {
    name: "1,000 sources, and follows all of the others'",
    greedy: many,
    scene: () => ({ alsoPaidBy: (source) => (isGreedys(source) ? [] : [greedy.payer]) }),
  },
]
