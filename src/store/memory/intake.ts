import { type DayIntake, dayOf, type InstantMs } from '../../model/index.ts'
import { type IntakeStore, REMEMBER_DAYS } from '../intake.ts'
import type { SourceFile, World } from './world.ts'

export function intakeVerbs(world: World): IntakeStore {
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

export function addIntake({ days }: SourceFile, one: DayIntake): void {
  const before = days.get(one.day)
  days.set(one.day, {
    day: one.day,
    taken: one.taken + (before?.taken ?? 0),
    repaired: one.repaired + (before?.repaired ?? 0),
    refused: one.refused + (before?.refused ?? 0),
  })
}

export function forgetDays({ days }: SourceFile, now: InstantMs): void {
  for (const day of days.keys()) if (day < dayOf(now) - REMEMBER_DAYS) days.delete(day)
}
