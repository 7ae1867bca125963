import type { SettingName } from '../../src/app/settings/config.ts'

/** One setting with two values, and something that a user can see which is different with each. */
export interface SettingRow {
  readonly name: SettingName
  readonly values: readonly [unknown, unknown]
  /** Runs the real wiring with this value. */
  readonly effect: (value: unknown) => Promise<unknown>
  /** What was seen with the first value and with the second. */
  readonly shows: (first: unknown, second: unknown) => void
}

export interface SettingEffect<Value> {
  readonly values: readonly [unknown, unknown]
  readonly effect: (flags: Readonly<Record<string, unknown>>) => Promise<Value>
  readonly shows: (first: Value, second: Value) => void
}

export function row<Value>(name: SettingName, { values, effect, shows }: SettingEffect<Value>): SettingRow {
  return {
    name,
    values,
    effect: (value) => effect(value === undefined ? {} : { [name]: value }),
    shows: (first, second) => shows(first as Value, second as Value),
  }
}
