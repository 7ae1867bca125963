import { HOUR_MS } from '../../src/model/index.ts'
import { since } from '../../src/refresh/divergence.ts'
import type { DivergenceView } from '../../src/refresh/strategy.ts'
import type { Knowledge } from './cycle-source.ts'

/** True divergences of a source, renewed before every decision: the "offline knowledge" of thesis 4.4.1. */
export interface Truth {
  stream: number
  windowRelevant: number
}

export const oracleKnowledge: Knowledge<Truth> = {
  start: () => ({ stream: 0, windowRelevant: 0 }),
  observe: (memory) => memory,
  see(memory, truth) {
    memory.stream = truth.stream
    memory.windowRelevant = truth.windowRelevant
  },
}

/**
 * Divergence is known exactly; the integral of a homogeneous Poisson process is taken as half of (t − T_r)·Div_A, so
 * that Uti = ½·(t − T_r)·Div_A (thesis 4.4.1).
 */
export const oracleView: DivergenceView<Truth> = {
  stream: (memory) => memory.stream,
  window: (memory) => memory.windowRelevant,
  utility: (memory, facts, now) => (memory.windowRelevant * (now - since(facts))) / HOUR_MS / 2,
}
