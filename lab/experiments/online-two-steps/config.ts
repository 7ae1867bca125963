/** Thesis 7.3.1, 7.3.3: ten sources of each shape, cycles of 10 minutes, W = 20. */
export const CONFIG = {
  shapes: ['peaks', 'uniform', 'waves'],
  sources: 10,
  windowSize: 20,
  /** At least 10 a day in the thesis; enough here that rare refreshes fill windows. */
  leastPerDay: 40,
  mostPerDay: 160,
  warmupDays: 14,
  days: 14,
  /** Refreshes per cycle over all ten sources. */
  budgets: [0.1, 0.2, 0.35, 0.6, 1, 3],
} as const
