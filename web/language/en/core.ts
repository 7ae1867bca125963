import { enCommon } from './common.ts'
import { enFormat } from './format.ts'
import { enStates } from './states.ts'
import { enShell } from './shell.tsx'
import { enOverview } from './overview.tsx'
import { enSession } from './session.ts'
import { enProblems } from './problems.ts'
import { enCharts } from './charts.ts'
import { AS_THE_NODE_SAYS } from '../node-words.ts'

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
