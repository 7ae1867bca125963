import { AS_THE_NODE_SAYS } from '../node-words.ts'
import { enCharts } from './charts.ts'
import { enCommon } from './common.ts'
import { enFormat } from './format.ts'
import { enOverview } from './overview.tsx'
import { enProblems } from './problems.ts'
import { enSession } from './session.ts'
import { enShell } from './shell.tsx'
import { enStates } from './states.ts'

/** What the first page needs. */
export const enCore = {
  common: enCommon,
  format: enFormat,
  states: enStates,
  shell: enShell,
  overview: enOverview,
  session: enSession,
  problems: enProblems,
  charts: enCharts,
  node: AS_THE_NODE_SAYS,
}
