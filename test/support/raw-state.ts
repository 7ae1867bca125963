import type { NamedState, StateName } from '../../src/store/node-state.ts'

/** A state as the store has it, whatever wrote it; null: there is none. */
export function rawState(name: StateName): NamedState<string | null> {
  return { name, initial: null, read: (text) => text, write: (text) => text ?? '' }
}
