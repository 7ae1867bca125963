import type { Arena } from './arena.ts'
import { comparePolicy } from './compare-policy.ts'
import { type OursOptions, withOurs } from './ours.ts'
import { OURS } from './policies.ts'
import { arenaFor, type CompareSetting } from './setting.ts'
import type { BudgetRows, MeasuredRow } from './types.ts'

/** One figure to be measured; tasks depend on nothing but themselves. */
export type Task = PolicyTask | OursTask

export interface PolicyTask {
  readonly kind: 'policy'
  readonly setting: CompareSetting
  readonly perDay: number
  readonly seed: number
  readonly policy: string
}

/** What is measured for our strategy alone, at the price that met the budget. */
export interface OursTask {
  readonly kind: 'ours'
  readonly setting: CompareSetting
  readonly perDay: number
  readonly seed: number
  readonly price: number
  readonly options: OursOptions
}

export type OursResult = Pick<BudgetRows, 'newcomers' | 'breathing' | 'followed'>

/** Runs tasks one after the other; those of one world should follow each other. */
export class TaskRunner {
  private readonly arenas = new Map<string, Arena>()

  async run(task: Task): Promise<MeasuredRow | OursResult> {
    const arena = await this.arena(task.setting, task.seed)
    if (task.kind === 'policy') return comparePolicy(arena, task.policy, task.perDay)
    const rows = { perDay: task.perDay, policies: [{ policy: OURS, price: task.price }] } as unknown as BudgetRows
    const { perDay: _perDay, policies: _policies, ...ours } = withOurs(rows, arena, task.options)
    return ours
  }

  /** Only the last few: a trace may have millions of items. */
  private async arena(setting: CompareSetting, seed: number): Promise<Arena> {
    const key = JSON.stringify([setting, seed])
    let arena = this.arenas.get(key)
    if (arena === undefined) {
      arena = await arenaFor(setting, seed)
      if (this.arenas.size >= MOST_ARENAS) this.arenas.delete(this.arenas.keys().next().value!)
      this.arenas.set(key, arena)
    }
    return arena
  }
}

const MOST_ARENAS = 2
