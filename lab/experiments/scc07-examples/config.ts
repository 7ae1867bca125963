export const CONFIG = {
  /** Figure 5. */
  points: 6,
  /** Theorem 1: sources with random rates and weights. */
  sources: 40,
  requestsPerPeriod: 160,
} as const
