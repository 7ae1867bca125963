/** A stream of numbers in [0, 1). Seeded in the lab and in tests; only `runtime/random` makes one. */
export type Random = () => number
