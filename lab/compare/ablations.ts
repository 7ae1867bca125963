import { DAY_MS } from '../../src/model/index.ts'
import {
  FLAT_TABLES,
  type ForesightParts,
  type ForesightTables,
  foresight,
} from '../../src/refresh/strategies/foresight/index.ts'
import type { AnyPricedStrategy } from '../../src/refresh/strategy.ts'

/** Our strategy with one part left out each: what a part brings is how much worse it gets without. */
const WITHOUT: Readonly<Record<string, { readonly what: string; readonly parts: Partial<ForesightParts> }>> = {
  'foresight-myopic': { what: 'looking ahead', parts: { lookAhead: false } },
  'foresight-no-minutes': { what: 'minutes of the hour', parts: { minutes: false } },
  'foresight-no-seconds': { what: 'dates that are whole minutes', parts: { wholeMinutes: false } },
  'foresight-no-week': { what: 'hours of the week', parts: { week: false } },
  'foresight-shared': { what: "the source's own counts", parts: { own: false } },
  'foresight-alone': { what: 'shared shapes', parts: {} },
  'foresight-slow': {
    what: 'a rate that follows within days',
    parts: { halfLives: { recentMs: 21 * DAY_MS, longMs: 21 * DAY_MS } },
  },
  'foresight-no-change': { what: 'changes of pace believed at once', parts: { change: false } },
  'foresight-no-unseen': { what: 'what fell out of windows put where it is expected', parts: { unseen: false } },
  'foresight-no-evidence': { what: 'habits doubted where they may be chance', parts: { evidence: false } },
  'foresight-no-loss': { what: 'the price of loss', parts: { loss: false } },
}

export const ABLATION_IDS: readonly string[] = Object.keys(WITHOUT)

/** What an ablation leaves out, in words. */
export function leftOut(id: string): string | undefined {
  return WITHOUT[id]?.what
}

export function ablation(id: string, tables: ForesightTables): AnyPricedStrategy | null {
  const found = WITHOUT[id]
  if (found === undefined) return null
  return foresight({ tables: id === 'foresight-alone' ? FLAT_TABLES : tables }, { ...found.parts, id })
}
