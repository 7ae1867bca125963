import { t } from '../../language/current.ts'
import type { Setting } from './setting-draft.ts'

/** In the language of the page where it has words for this setting, else as the node says it. */
export function settingTitle({ name, form }: Pick<Setting, 'name' | 'form'>): string {
  return t.node.settings[name]?.[0] ?? form.title
}

export function settingHelp({ name, description }: Pick<Setting, 'name' | 'description'>): string {
  return t.node.settings[name]?.[1] ?? description
}

export function settingUnit(unit: string | null): string | null {
  return unit === null ? null : (t.node.units[unit] ?? unit)
}

/** Why it cannot be changed here: a flag or a variable gives it, or it may hold a password. */
export function fixedWords(because: string): string {
  const [given] = because.match(/--[\w-]+|HEADWATER_\w+/) ?? []
  return given === undefined ? t.settings.mayHoldPassword : t.settings.givenAtStart({ given })
}
