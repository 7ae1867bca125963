import type { SettingsService, ShownSetting } from '../../api/services.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { type Phrase, type PlainPhrase, phrase, phraseText, plainPhrase } from '../../runtime/phrase.ts'
import {
  checkSettings,
  environmentName,
  SETTING_NAMES,
  type SettingName,
  type SettingOrigin,
  settingProblem,
} from '../settings/config.ts'
import { LIVE_SETTINGS, type LiveSettings } from '../settings/live-settings.ts'
import { SECRET_SETTINGS } from '../settings/secret-settings.ts'
import type { SettingsDocument } from '../settings/settings-document.ts'
import { checkFit, checkUse } from './setting-checks.ts'
import { SETTING_FORMS } from './setting-forms.ts'
import { SETTING_WORDS } from './setting-words.ts'

export interface SettingsDeps {
  /** As the node runs now. */
  readonly live: Pick<LiveSettings, 'current' | 'look'>
  readonly document: SettingsDocument
  /** Where each was given; what is missing is of the document or a default. */
  readonly settingOrigins: ReadonlyMap<string, SettingOrigin>
}

const SECRET_BECAUSE = phrase`it may hold a password; give it as a flag, in the environment or in headwater.json, and start the node again`

/** Of the forms: as people read them. */
const IN_ORDER = Object.keys(SETTING_FORMS) as readonly SettingName[]

export function createSettingsService({ live, document, settingOrigins }: SettingsDeps): SettingsService {
  const { current: config } = live
  const fixedBecause = (name: SettingName): PlainPhrase | null => {
    if (SECRET_SETTINGS.has(name)) return SECRET_BECAUSE
    if (settingOrigins.get(name) === 'flag') return phrase`it is given as ${flagName(name)} when the node is started`
    return settingOrigins.get(name) === 'environment'
      ? phrase`it is given as ${environmentName(name)} in the environment`
      : null
  }

  return {
    async list() {
      const file = await document.read()
      return IN_ORDER.map((name): ShownSetting => {
        const value = SECRET_SETTINGS.has(name) ? null : displayValue(config()[name])
        const fixed = fixedBecause(name)
        const stored = fixed === null ? usedAs(name, file[name]) : undefined
        const waits = stored !== undefined && JSON.stringify(stored) !== JSON.stringify(config()[name])
        return {
          name,
          value,
          ...(waits ? { stored } : {}),
          from: settingOrigins.get(name) ?? (Object.hasOwn(file, name) ? 'file' : 'default'),
          description: SETTING_WORDS[name],
          isFixed: fixed !== null,
          fixedBecause: fixed === null ? null : phraseText(fixed),
          needsRestart: !LIVE_SETTINGS.has(name),
          form: SETTING_FORMS[name],
        }
      })
    },
    check(patch) {
      const wrong = Object.entries(patch).flatMap(([name, value]) => {
        const fixed = isSettingName(name) ? fixedBecause(name) : phrase`there is no setting ${name}`
        const problem = fixed ?? (value === null ? null : settingProblem(name, value))
        return problem === null ? [] : [{ name, message: phraseText(problem), phrase: problem }]
      })
      if (wrong.length > 0) return wrong
      const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== null))
      const changed = Object.keys(patch).filter(isSettingName)
      const checked = checkSettings(given)
      const next = { ...config(), ...Object.fromEntries(changed.map((name) => [name, checked[name]])) }
      const problem = problemOf(() => checkFit(next, new Set(changed)))
      return problem === null ? [] : [{ name: null, message: phraseText(problem), phrase: problem }]
    },
    async set(patch) {
      const file = { ...(await document.read()) }
      for (const [name, value] of Object.entries(patch)) {
        if (!isSettingName(name)) throw new HeadwaterError('USAGE', phrase`no setting ${name}`)
        const fixed = fixedBecause(name)
        if (fixed !== null) throw new HeadwaterError('SETTING_FIXED', phrase`${name}: ${fixed}`)
        if (value === null) delete file[name]
        else file[name] = value
      }
      const checked = checkSettings(file)
      const names = Object.keys(patch).filter(isSettingName)
      const next = { ...config(), ...Object.fromEntries(names.map((name) => [name, checked[name]])) }
      await checkUse(next, new Set(names), config())
      await document.write(file)
      await live.look()
      return { needsRestart: names.some((name) => !LIVE_SETTINGS.has(name)) }
    },
  }
}

/** As the node would use what the document says; undefined: nothing is said, or what cannot be used. */
function usedAs(name: SettingName, stored: unknown): unknown {
  if (stored === undefined) return undefined
  try {
    return checkSettings({ [name]: stored })[name]
  } catch {
    return undefined
  }
}

function problemOf(check: () => unknown): Phrase | null {
  try {
    check()
    return null
  } catch (error) {
    if (error instanceof HeadwaterError) return error.phrase ?? plainPhrase(error.message)
    throw error
  }
}

function isSettingName(name: string): name is SettingName {
  return (SETTING_NAMES as readonly string[]).includes(name)
}

function flagName(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

function displayValue(value: unknown): unknown {
  return value === undefined ? null : value
}
