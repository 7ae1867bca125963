import { deCommon } from './common.ts'
import { deFormat } from './format.ts'
import { deStates } from './states.ts'
import { deShell } from './shell.tsx'
import { deOverview } from './overview.tsx'
import { deSession } from './session.ts'
import { deProblems } from './problems.ts'
import { deCharts } from './charts.ts'
import { deNode } from './node.ts'

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
