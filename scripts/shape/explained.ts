/** Why something that `npm run shape` finds is right as it is. A reason for what is no longer found is a finding, too. */
export interface Explained {
  /** By file and name: `src/a.ts name`. */
  readonly unused: Readonly<Record<string, string>>
  /** By name. */
  readonly twice: Readonly<Record<string, string>>
  /** Files that may export the same names as others of their kind, because nobody sees two of them. */
  readonly alike: readonly Alike[]
}

export interface Alike {
  readonly files: RegExp
  /** Also the same as the rest of the code. */
  readonly isApart: boolean
  readonly why: string
}

export const EXPLAINED: Explained = {
  unused: {
    'src/query/naive-engine.ts NaiveEngine': 'what tests compare the engine with',
    'web/vite.config.ts default': 'vite reads it',
  },
  twice: {},
  alike: [
    { files: /^src\/store\/(memory|postgres|sqlite)\//, isApart: false, why: 'one contract, an adapter each' },
    { files: /^lab\/experiments\/[^/]+\//, isApart: false, why: 'each experiment stands for itself' },
    { files: /^web\//, isApart: true, why: 'the dashboard is a program of its own' },
  ],
}
