import type { InstantMs, Observation } from '../model/index.ts'

/** When to look again, and why, in words for people. */
export interface NextCheck {
  readonly at: InstantMs
  readonly reason: string
  /** Not brought forward by a loss: the strategy knows no windows and is left as it is, for comparison. */
  readonly firm?: boolean
  /** A loss brings it forward to this at most: the shortest interval of node or source. */
  readonly earliestAt?: InstantMs
}

/** Learns from a refresh and plans the next; `notBefore` is what the publisher asks for. */
export type Planner = (observation: Observation, notBefore: NextCheck | null) => NextCheck
