/** Window and rates as in the rest of chapter 7; how often to refresh follows from how much shall be lost. */
export const CONFIG = {
  windowSize: 20,
  ratePerHour: 4,
  /** Expected items per interval, W = 20: from hardly any overflow to nearly always. */
  meansPerInterval: [12, 18, 22, 25.5, 28, 32],
  profileSizes: [20, 50, 100, 200],
  profilesPerSeed: 200,
  /** Algorithm 7.1 takes hundreds of steps a profile: a few of them show where it gets to. */
  ascents: 5,
  /** Algorithm 7.1 with a step that suits these profiles; the thesis does not give its own parameters. */
  ascent: { start: 1, stepSize: 1e-4, minRate: 1e-3, stopThreshold: 1e-5, maxIterations: 5000 },
}
