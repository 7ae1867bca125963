import { DATES_IN_WORDS } from './dates.ts'
import { budgetRows, gainsOver, printedRow } from './gains.ts'
import { lastTrace } from './last-trace.ts'
import { type MeasuredPolicies, taskKey } from './measure.ts'
import type { Block, TraceFacts } from './plan.ts'
import { OURS } from './policies.ts'
import { worldFor } from './setting.ts'
import { shippedRows } from './shipped.ts'
import type { OursResult, OursTask } from './task.ts'
import type { BudgetRows, DatesRow, MeasuredRow, TraceComparison } from './types.ts'

/** The figures as comparisons, one per trace and window, in the order asked for. */
export async function assemble(
  traces: readonly TraceFacts[],
  windows: readonly number[],
  blocks: readonly Block[],
  measured: MeasuredPolicies,
  tasks: readonly OursTask[],
  seed: number,
): Promise<TraceComparison[]> {
  const comparisons: TraceComparison[] = []
  for (const facts of traces) {
    const trace = await lastTrace(facts.path)
    const own = blocks.filter(({ setting }) => setting.trace === facts.path)
    const rowsOf = (block: Block) => measuredRows(block, measured, seed)
    const budgets = (block: Block): BudgetRows => ({
      ...budgetRows(block.perDay, rowsOf(block), worldFor(trace, block.setting, seed), seed),
      ...(block.setting.sources === null ? {} : { drawnSources: block.setting.sources }),
    })
    for (const window of windows) {
      const here = own.filter(({ setting }) => setting.window === window)
      const of = (kind: Block['kind']) => here.filter((block) => block.kind === kind)
      const parts = of('parts').map(budgets)
      const shipped = of('shipped').flatMap((block) => shippedRows(block, measured, facts, seed))
      const dates = of('dates').flatMap((block) => datesRow(block, rowsOf(block), facts.sources, seed))
      comparisons.push({
        trace: facts.path,
        sources: facts.sources,
        items: facts.items,
        window,
        measuredDays: facts.measuredDays,
        budgets: of('policies').map((block) => ({ ...budgets(block), ...oursOf(block, measured, tasks) })),
        ...(parts.length > 0 ? { parts } : {}),
        ...(shipped.length > 0 ? { shipped } : {}),
        ...(dates.length > 0 ? { dates } : {}),
      })
    }
  }
  return comparisons
}

function measuredRows({ setting, perDay, policies }: Block, measured: MeasuredPolicies, seed: number): MeasuredRow[] {
  return policies.flatMap((policy) => {
    const found = measured.get(taskKey({ kind: 'policy', setting, perDay, seed, policy }))
    return found === undefined ? [] : [found as MeasuredRow]
  })
}

function oursOf(block: Block, measured: MeasuredPolicies, tasks: readonly OursTask[]): OursResult {
  const { trace, window } = block.setting
  const task = tasks.find(
    ({ setting, perDay }) => setting.trace === trace && setting.window === window && perDay === block.perDay,
  )
  return task === undefined ? {} : ((measured.get(taskKey(task)) as OursResult | undefined) ?? {})
}

function datesRow(block: Block, rows: readonly MeasuredRow[], sources: number, seed: number): DatesRow[] {
  const ours = rows.find(({ policy }) => policy === OURS)
  if (ours === undefined) return []
  const { dates, sources: sampleSize } = block.setting
  return [
    {
      dates,
      words: DATES_IN_WORDS[dates],
      perDay: block.perDay,
      sources: sampleSize ?? sources,
      policies: rows.map(printedRow),
      gains: gainsOver(ours, rows, seed),
    },
  ]
}
