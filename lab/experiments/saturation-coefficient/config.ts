/** Figure 2.3: W = 10; λ and r per hour. */
export const CONFIG = {
  windowSize: 10,
  ratesPerHour: [1, 2, 5, 8, 10, 12, 15, 20, 30, 50, 80, 100],
  refreshesPerHour: [0.5, 1, 2, 5],
  hours: 400,
} as const
