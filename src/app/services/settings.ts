import type { SettingsService, ShownSetting } from '../../api/services.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import {
  type Config,
  checkSettings,
  environmentName,
  SETTING_NAMES,
  type SettingName,
  type SettingOrigin,
} from '../settings/config.ts'
import { readSettingsFile, writeSettingsFile } from '../settings/settings-file.ts'
import { checkUse } from './setting-checks.ts'
import { SETTING_WORDS } from './setting-words.ts'

export interface SettingsDeps {
  /** As the node runs now. */
  readonly config: () => Config
  /** Where each was given; what is missing is of the file or a default. */
  readonly given: ReadonlyMap<string, SettingOrigin>
  /** Those that the node takes over without a restart. */
  readonly live: ReadonlySet<string>
  /** Takes over what changed. */
  readonly apply: (config: Config) => void
}

/** May hold a password. */
export const SECRET_SETTINGS: ReadonlySet<string> = new Set(['smtpUrl'])
const SECRET_BECAUSE =
  'it may hold a password; give it as a flag, in the environment or in headwater.json, and start the node again'

export function createSettingsService({ config, given, live, apply }: SettingsDeps): SettingsService {
  const read = () => readSettingsFile(config().dataDir)
  const fixedBecause = (name: SettingName) => {
    if (SECRET_SETTINGS.has(name)) return SECRET_BECAUSE
    if (given.get(name) === 'flag') return `it is given as ${flagName(name)} when the node is started`
    return given.get(name) === 'environment' ? `it is given as ${environmentName(name)} in the environment` : null
  }

  return {
    async list() {
      const file = read()
      return SETTING_NAMES.map((name): ShownSetting => {
        const value = SECRET_SETTINGS.has(name) ? null : shown(config()[name])
        const fixed = fixedBecause(name)
        const kept = fixed === null ? file[name] : undefined
        return {
          name,
          value,
          ...(kept === undefined ? {} : { kept }),
          from: given.get(name) ?? (Object.hasOwn(file, name) ? 'file' : 'default'),
          description: SETTING_WORDS[name],
          isFixed: fixed !== null,
          fixedBecause: fixed,
          needsRestart: !live.has(name),
        }
      })
    },
    async set(patch) {
      const file = read()
      for (const [name, value] of Object.entries(patch)) {
        if (!isSettingName(name)) throw new HeadwaterError('USAGE', `no setting ${name}`)
        const fixed = fixedBecause(name)
        if (fixed !== null) throw new HeadwaterError('SETTING_FIXED', `${name}: ${fixed}`)
        if (value === null) delete file[name]
        else file[name] = value
      }
      const checked = checkSettings(file)
      await checkUse(checked, new Set(Object.keys(patch)), config())
      writeSettingsFile(config().dataDir, file)
      const names = Object.keys(patch)
      const taken = names.filter((name) => live.has(name))
      if (taken.length > 0) {
        const values = Object.fromEntries(taken.map((name) => [name, checked[name as keyof typeof checked]]))
        apply({ ...config(), ...values })
      }
      return { needsRestart: taken.length < names.length }
    },
  }
}

function isSettingName(name: string): name is SettingName {
  return (SETTING_NAMES as readonly string[]).includes(name)
}

function flagName(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

function shown(value: unknown): unknown {
  return value === undefined ? null : value
}
