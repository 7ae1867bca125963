import type { NamedState, StateName } from '../../src/store/node-state.ts'

/** A state as it stands in the store, whoever wrote it; null: nothing does. */
export function rawState(name: StateName): NamedState<string | null> {
  return { name, initial: null, read: (text) => text, write: (text) => text ?? '' }
}
