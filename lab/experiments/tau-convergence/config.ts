/** Thesis 4.4.4: b = 30 in the world of 4.4.1. Initial values over six orders of magnitude. */
export const CONFIG = {
  budget: 30,
  firstThresholds: [1e-3, 1e-1, 1e1, 1e3],
  cycles: 400,
  /** The band is read over the last of them. */
  settledOver: 60,
  /** Halvings of the six decades in search of each end of the band: to a thousandth. */
  bandSteps: 14,
  /** Values reached from different starts may differ by so much, where the band has an upper end. */
  mostSpread: 1.25,
  /** For the tenfold change: rates and windows such that there is always enough to refresh and nothing saturates. */
  change: { mostPerCycle: 0.65, windowSize: 200, budget: 5, factor: 10, afterCycles: 300 },
} as const
