import { alignedLines } from '../../src/cli/table.ts'
import type { CompareClaim, CompareResult, PolicyRow, TraceComparison } from './types.ts'

const COLUMNS = ['policy', 'requests', 'mean', 'median', 'p95', 'max', 'lost'] as const

/** For people: one table per trace and budget, the shortest mean delay first; claims last, where a terminal ends. */
export function compareTable(result: CompareResult): string {
  const tables = (result.traces ?? [result]).map(traceTable)
  return [...tables, ...(result.claims ?? []).map(claimLines)].join('\n')
}

const SIGNS: Readonly<Record<CompareClaim['verdict'], string>> = { holds: '✓', fails: '✗', 'not measured': '?' }

function claimLines({ text, verdict, figures }: CompareClaim): string {
  const list = Object.entries(figures).map(([name, value]) => `    ${name}: ${value}\n`)
  return `${SIGNS[verdict]} ${text}\n${list.join('')}`
}

function traceTable(comparison: TraceComparison): string {
  const { trace, sources, items, window, measuredDays, budgets } = comparison
  const head = `${trace}: ${sources} sources, ${items} items, ${Math.round(measuredDays)} days measured, window ${window}`
  const tables = budgets.map(({ perDay, policies }) => {
    const sorted = policies.toSorted((a, b) => a.meanDelayMinutes - b.meanDelayMinutes)
    const notes = sorted.flatMap(({ policy, note }) => (note === undefined ? [] : [`  ${policy}: ${note}`]))
    const lines = alignedLines([[...COLUMNS], ...sorted.map(cells)], { hasHeader: true })
    return [`\n${perDay} requests per source and day; delays in minutes`, ...lines, ...notes].join('\n')
  })
  return `${[head, ...tables].join('\n')}\n`
}

function cells(row: PolicyRow): string[] {
  const delays = [row.meanDelayMinutes, row.medianDelayMinutes, row.p95DelayMinutes, row.maxDelayMinutes]
  return [row.policy, String(row.requests), ...delays.map(minutes), `${(100 * row.lostShare).toFixed(2)} %`]
}

function minutes(value: number): string {
  return value < 100 ? value.toFixed(1) : String(Math.round(value))
}
