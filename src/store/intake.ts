import type { DayIntake, SourceId } from '../model/index.ts'

/** How many days before the present one are remembered. */
export const REMEMBER_DAYS = 28

/** Part of `Store`. */
export interface IntakeStore {
  /** From one day to another, both included, oldest first; days on which nothing was new are left out. */
  intake(sourceId: SourceId, days: { readonly from: number; readonly to: number }): Promise<readonly DayIntake[]>
  /** Sources of which something was refused on that day, in the order of ids. */
  refusals(day: number): Promise<readonly { readonly sourceId: SourceId; readonly refused: number }[]>
}
