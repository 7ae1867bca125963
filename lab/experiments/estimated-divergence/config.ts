/** Figure 7.2: one source, refreshed at regular intervals, over a day. */
export const CONFIG = {
  itemsPerDay: 50,
  learnDays: 28,
  measuredDays: 28,
  /** Every hour; the sawtooth of the figure has about this many teeth. */
  refreshHours: 1,
  /** Quick enough to follow a day: half of the way in three refreshes. */
  alpha: 0.2,
}
