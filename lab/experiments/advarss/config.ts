/** Section IV: 793 feeds in the paper; here three that publish often, daily and weekly (Figures 4 to 6), by day mostly. */
export const CONFIG = {
  days: 30,
  /** Items per day. */
  feeds: [
    { name: 'updated very often', perDay: 24 },
    { name: 'updated daily', perDay: 1 },
    { name: 'updated weekly', perDay: 0.2 },
  ],
  /** Share of the items in each hour, as Figure 2: nearly a third between 11 and 14, under 2 % between 1 and 6. */
  hours: [1, 0.4, 0.3, 0.3, 0.3, 0.4, 2, 4, 6, 7, 8, 10, 10.5, 9.5, 7, 6, 5.5, 5, 4, 4, 3.3, 2.5, 1.8, 1.2],
  /** What was left open: how the cap of M grows. Figures for three ways. */
  caps: ['stays 25', 'doubles after three days', 'is 640 at once'],
} as const
