import type { IntakeStore } from '../intake.ts'
import type { Cutoffs } from '../rules/retention.ts'
import type { MemoryTables, SourceFile } from './tables.ts'

export function intakeVerbs(world: MemoryTables): IntakeStore {
  return {
    async intake(sourceId, { from, to }) {
      const days = [...(world.files.get(sourceId)?.days.values() ?? [])]
      return days.filter(({ day }) => day >= from && day <= to).sort((a, b) => a.day - b.day)
    },
    async refusals(day) {
      return [...world.files].flatMap(([sourceId, { days }]) => {
        const refused = days.get(day)?.refused ?? 0
        return refused > 0 ? [{ sourceId, refused }] : []
      })
    },
  }
}

export function forgetDays({ days }: SourceFile, { intakeBeforeDay }: Cutoffs): void {
  for (const day of days.keys()) if (day < intakeBeforeDay) days.delete(day)
}
