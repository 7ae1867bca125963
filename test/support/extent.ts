/** `npm run test:long` repeats some of the tests of every run with more of the same: more kills, more documents. */
const isLong = process.env['HEADWATER_TESTS'] === 'long'

export function extent<T>(inEveryRun: T, inLongRuns: T): T {
  return isLong ? inLongRuns : inEveryRun
}
