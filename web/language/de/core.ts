import { deCharts } from './charts.ts'
import { deCommon } from './common.ts'
import { deFormat } from './format.ts'
import { deNode } from './node.ts'
import { deOverview } from './overview.tsx'
import { deProblems } from './problems.ts'
import { deSession } from './session.ts'
import { deShell } from './shell.tsx'
import { deStates } from './states.ts'

/** What the first page needs. */
export const deCore = {
  common: deCommon,
  format: deFormat,
  states: deStates,
  shell: deShell,
  overview: deOverview,
  session: deSession,
  problems: deProblems,
  charts: deCharts,
  node: deNode,
}
