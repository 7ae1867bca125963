import type { Observation, Random, SourceId } from '../../model/index.ts'
import type { LearntModel, SourceFacts } from '../strategy.ts'
import { nextSurprise } from './alarm.ts'
import { CHANGED, type SourceRows } from './source-rows.ts'
import type { Spending } from './spending.ts'
import type { KeptMemory, StoredMemory } from './types.ts'

/** What is learnt of each source, and which of it is not yet written. */
export class Learning<Memory> {
  private changed: SourceId[] = []

  constructor(
    private readonly rows: SourceRows<Memory>,
    private readonly options: { readonly strategy: LearntModel<Memory>; readonly random: Random },
  ) {}

  /** Names the form of the memories that are written and read. */
  get form(): string {
    const { strategy } = this.options
    return strategy.memoryForm ?? strategy.id
  }

  get changedCount(): number {
    return this.changed.length
  }

  begin(row: number, facts: SourceFacts): void {
    const { strategy, random } = this.options
    this.rows.setMemory(row, strategy.start(facts, random))
  }

  /** False where it is no memory of this strategy. */
  restore(row: number, memory: StoredMemory | null | undefined): boolean {
    return memory != null && memory.form === this.form && this.rows.setBytes(row, memory.bytes)
  }

  /** Updates times, window, cost and memory; returns what was expected, null where the strategy does not say. */
  learn(row: number, observation: Observation, spending: Pick<Spending, 'costAfter'>): number | null {
    const { rows } = this
    const { strategy, random } = this.options
    const memory = rows.memory(row)
    const from = rows.lastRefreshAt(row) ?? rows.addedAt(row)
    const windowSize = observation.windowSize || rows.windowSize(row)
    const expected = strategy.expected?.(memory, from, observation.at)
    rows.setRefreshed(row, observation.at, windowSize)
    rows.setCost(row, spending.costAfter(rows.cost(row), observation))
    rows.setMemory(row, strategy.observe(memory, observation, rows.facts(row), random))
    this.note(row, observation.sourceId)
    if (expected === undefined) return null
    const surprise = nextSurprise(rows.surprise(row), { observation, expected, windowSize })
    // Who follows a faster pace by itself would count it twice (docs/decisions/0024); patience with silence it needs.
    rows.setSurprise(row, strategy.followsChange ? Math.min(0, surprise) : surprise)
    return expected
  }

  /** The memory of a source as the store keeps it. */
  kept(row: number): KeptMemory {
    const { windowSize, cost, lastRefreshAt, addedAt } = this.rows.facts(row)
    const learntAt = lastRefreshAt ?? addedAt
    return { form: this.form, bytes: this.rows.bytesOf(row), windowSize, cost, learntAt }
  }

  /** Sources that learnt something since they were last asked for; at most so many. */
  takeChanged(most: number): readonly SourceId[] {
    const taken = this.changed.splice(0, most)
    for (const id of taken) {
      const row = this.rows.rowOf(id)
      if (row >= 0) this.rows.mark(row, CHANGED, false)
    }
    return taken
  }

  /** They could not be written: they are to be taken again. */
  untake(ids: readonly SourceId[]): void {
    for (const id of ids) {
      const row = this.rows.rowOf(id)
      if (row >= 0) this.note(row, id)
    }
  }

  private note(row: number, id: SourceId): void {
    if (this.rows.has(row, CHANGED)) return
    this.rows.mark(row, CHANGED, true)
    this.changed.push(id)
  }
}
