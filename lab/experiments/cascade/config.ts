/** A chain of aggregators: the first reads all sources, each further one the feed of the one before it. */
export const CONFIG = {
  sources: 40,
  /** From one item in two days to 40 a day, evenly by their logarithm. */
  leastPerDay: 0.5,
  mostPerDay: 40,
  days: 28,
  levels: 5,
  intervalMinutes: 60,
  /** A window as most feeds have, and one that holds what a level gathers in a few intervals. */
  windows: [20, 200] as readonly number[],
  sourceWindow: 20,
  /** Networks that grow by 1.6.2 over random profiles, read as often, with windows that hold what they gather. */
  network: { nodes: 10, sources: 3, itemsPerDay: 20, alphas: [4, 20, 100] as readonly number[], days: 7 },
}
