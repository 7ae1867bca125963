import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SettingsService, ShownSetting } from '../../api/services.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { CONFIG_FILE, type Config, checkSettings, SETTING_NAMES, type SettingOrigin } from '../config.ts'
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

export function createSettingsService({ config, given, live, apply }: SettingsDeps): SettingsService {
  const path = () => join(config().dataDir, CONFIG_FILE)
  const read = (): Record<string, unknown> => (existsSync(path()) ? JSON.parse(readFileSync(path(), 'utf8')) : {})
  const isFixed = (name: string) => given.get(name) === 'flag' || given.get(name) === 'environment'

  return {
    async list() {
      const file = read()
      return SETTING_NAMES.map((name): ShownSetting => {
        const value = SECRET_SETTINGS.has(name) ? null : shown(config()[name])
        const kept = isFixed(name) || SECRET_SETTINGS.has(name) ? undefined : file[name]
        return {
          name,
          value,
          ...(kept === undefined ? {} : { kept }),
          from: given.get(name) ?? (Object.hasOwn(file, name) ? 'file' : 'default'),
          description: SETTING_WORDS[name],
          isFixed: isFixed(name) || SECRET_SETTINGS.has(name),
          needsRestart: !live.has(name),
        }
      })
    },
    async set(patch) {
      const file = read()
      for (const [name, value] of Object.entries(patch)) {
        if (!(SETTING_NAMES as readonly string[]).includes(name))
          throw new HeadwaterError('USAGE', `no setting ${name}`)
        if (isFixed(name) || SECRET_SETTINGS.has(name)) throw new HeadwaterError('SETTING_FIXED', name)
        if (value === null) delete file[name]
        else file[name] = value
      }
      const checked = checkSettings(file)
      write(path(), file)
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

function shown(value: unknown): unknown {
  return value === undefined ? null : value
}

/** Whole or not at all. */
function write(path: string, settings: Record<string, unknown>): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}
