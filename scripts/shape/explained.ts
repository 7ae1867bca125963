/** Why something that `npm run shape` finds is right as it is. A reason for what is no longer found is a finding, too. */
export interface Explanations {
  /** By file and name: `src/a.ts name`. */
  readonly unused: Readonly<Record<string, string>>
  /** Files whose exports may be for tests alone. */
  readonly forTests: readonly ForTests[]
  /** By name. */
  readonly twice: Readonly<Record<string, string>>
  /** Files that may export the same names as others of their kind, because nobody sees two of them. */
  readonly alike: readonly Alike[]
}

export interface ForTests {
  readonly files: RegExp
  readonly why: string
}

export interface Alike {
  readonly files: RegExp
  /** Also the same as the rest of the code. */
  readonly isApart: boolean
  readonly why: string
}

export const EXPLANATIONS: Explanations = {
  unused: {
    'src/refresh/estimators/changed-or-not.ts choGarciaMolinaRate':
      'a formula of the papers that ours is compared with',
    'src/refresh/estimators/likelihood.ts logLikelihood': 'what the estimator maximises, so that tests can look',
    'src/refresh/estimators/likelihood.ts printedGradient': 'a formula of the thesis that ours is compared with',
    'src/refresh/least-budget.ts leastBudgetFor': 'all steps at once; the node takes them one by one',
    'web/vite.config.ts default': 'vite reads it',
  },
  forTests: [
    { files: /^lab\/measures\//, why: "the papers' definitions, which tests compare faster forms with" },
    { files: /^lab\/(live|compare\/golden)\//, why: 'a measurement that a test runs and judges' },
    { files: /^lab\/worlds\/site\//, why: 'a site that a test runs the crawler against' },
    { files: /^lab\/analysis\/predictive-score\.ts/, why: 'a measurement that a test runs and judges' },
    { files: /^lab\/simulator\/event-run\.ts/, why: 'one queue for all sources, which priced-run.ts is compared with' },
    { files: /^src\/cluster\/memory\/leases\.ts/, why: 'what a database does, for tests in virtual time' },
    { files: /^src\/network\//, why: 'for the network of nodes' },
  ],
  twice: {},
  alike: [
    {
      files: /^src\/api\/operations\/wire\.ts$/,
      isApart: true,
      why: 'what a client sees of a thing has the name of the thing',
    },
    { files: /^src\/store\/(memory|postgres|sqlite)\//, isApart: false, why: 'one contract, an adapter each' },
    { files: /^lab\/experiments\/[^/]+\//, isApart: false, why: 'each experiment stands for itself' },
    { files: /^web\//, isApart: true, why: 'the dashboard is a program of its own' },
  ],
}
