import { SECOND_MS } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Logger } from '../../runtime/logger.ts'
import { repeat } from '../../runtime/repeat.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import { type Config, checkSettings, SETTING_NAMES, type SettingName } from './config.ts'
import type { SettingsDocument } from './settings-document.ts'

/** Settings that take effect as soon as they are changed: those that only the crawler asks for, or that are
 * looked up whenever they matter. */
export const LIVE_SETTINGS: ReadonlySet<SettingName> = new Set<SettingName>([
  'budget',
  'burst',
  'minInterval',
  'maxInterval',
  'strategy',
  'threshold',
  'cycle',
  'estimator',
  'quality',
  'learning',
  'learningShare',
  'exploreShare',
  'pageShare',
  'iconShare',
  'pageFolders',
  'learnFor',
  'learnEvery',
  'archiveShare',
  'readerWeight',
  'believeSubscribers',
  'costs',
  'afterLoss',
  'repairPages',
  'checkpoint',
  'concurrency',
  'keepFor',
  'keepItems',
  'keepObservationsFor',
  'memberSources',
  'memberQueries',
  'memberSubscriptions',
  'memberTokens',
  'checkEvery',
  'maxData',
])

/** The settings in force, in every process of a node. */
export interface LiveSettings {
  /** Of the moment. */
  current(): Config
  onChange(listener: (config: Config) => void): void
  /** Reads the settings at once, for a caller that has just written them. */
  look(): Promise<void>
  /** Looks now and then: another process may have written them. */
  readonly layer: Layer
}

export interface LiveSettingsDeps {
  /** As the process was started. */
  readonly config: Config
  /** Names that were given as flags or in the environment: the document does not change them. */
  readonly given: ReadonlySet<string> | ReadonlyMap<string, unknown>
  readonly document: SettingsDocument
  /** Throws USAGE for what cannot run. */
  readonly check: (config: Config) => void
  readonly clock: Pick<Clock, 'sleep' | 'monotonicMs'>
  readonly logger: Pick<Logger, 'warn'>
}

const LOOK_EVERY_MS = SECOND_MS

type Document = Readonly<Record<string, unknown>>

/** Takes over what is changed in the document from now on, as far as that needs no new start. */
export async function followSettings(deps: LiveSettingsDeps): Promise<LiveSettings> {
  const { given, document, check, clock, logger } = deps
  let config = deps.config
  let version = await document.version()
  let seen = await document.read()
  const listeners: ((config: Config) => void)[] = []

  async function lookNow(): Promise<void> {
    const present = await document.version()
    if (present === version) return
    version = present
    try {
      const next = await document.read()
      const changed = namesChanged(seen, next).filter((name) => LIVE_SETTINGS.has(name) && !given.has(name))
      const after = changed.length === 0 ? config : taken(config, next, changed)
      check(after)
      seen = next
      if (after === config) return
      config = after
    } catch (error) {
      logger.warn({ err: error }, 'the changed settings cannot be used; the node goes on with those before')
      return
    }
    for (const listener of listeners) listener(config)
  }

  // One after the other: each compares with what the one before has seen.
  let looking: Promise<void> = Promise.resolve()
  const look = () => {
    looking = looking.catch(() => {}).then(lookNow)
    return looking
  }
  const run = repeat({ clock, everyMs: LOOK_EVERY_MS, action: look, alsoAtEnd: false })
  return {
    current: () => config,
    onChange: (listener) => void listeners.push(listener),
    look,
    layer: { name: 'settings', run, healthyAfterMs: null },
  }
}

function namesChanged(before: Document, after: Document): readonly SettingName[] {
  return SETTING_NAMES.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
}

/** Throws USAGE for what cannot be understood. */
function taken(config: Config, document: Document, names: readonly SettingName[]): Config {
  const checked = checkSettings(document)
  return { ...config, ...Object.fromEntries(names.map((name) => [name, checked[name]])) }
}
