import { gainsOver, printedRow } from './gains.ts'
import { type MeasuredPolicies, taskKey } from './measure.ts'
import type { Block, TraceFacts } from './plan.ts'
import { OURS, shippedPeer } from './policies.ts'
import type { OursResult, PolicyTask, Task } from './task.ts'
import type { MeasuredRow, ShippedRow } from './types.ts'

/** Ours at as many requests as a peer has spent by itself; nothing follows from other figures. */
export function besideShipped(task: Task, result: MeasuredRow | OursResult, facts: TraceFacts): PolicyTask[] {
  if (task.kind !== 'policy' || shippedPeer(task.policy) === null) return []
  return [{ ...task, policy: OURS, perDay: ownPerDay(result as MeasuredRow, task.setting.sources, facts) }]
}

/** Each peer of a block with ours beside it, as far as both are measured. */
export function shippedRows(block: Block, measured: MeasuredPolicies, facts: TraceFacts, seed: number): ShippedRow[] {
  const { setting } = block
  const found = (policy: string, perDay: number) =>
    measured.get(taskKey({ kind: 'policy', setting, perDay, seed, policy })) as MeasuredRow | undefined
  return block.policies.flatMap((policy) => {
    const theirs = found(policy, block.perDay)
    const peer = shippedPeer(policy)
    if (theirs === undefined || peer === null) return []
    const perDay = ownPerDay(theirs, setting.sources, facts)
    const ours = found(OURS, perDay)
    const gain = ours === undefined ? undefined : gainsOver(ours, [theirs], seed)[0]
    if (ours === undefined || gain === undefined) return []
    const drawn = setting.sources === null ? {} : { drawnSources: setting.sources }
    return [{ peer, perDay, ...drawn, theirs: printedRow(theirs), ours: printedRow(ours), gain }]
  })
}

/** Requests a source and day, to six digits: it is part of what a figure is known by. */
function ownPerDay({ requests }: MeasuredRow, drawn: number | null, facts: TraceFacts): number {
  return Number((requests / ((drawn ?? facts.sources) * facts.measuredDays)).toPrecision(6))
}
