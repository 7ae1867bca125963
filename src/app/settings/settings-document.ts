/** The settings of a node that are not given as flags or in the environment, in the words of people. */
export interface SettingsDocument {
  /** Unchecked; empty where there is none. Throws SETTINGS_INVALID. */
  read(): Promise<Readonly<Record<string, unknown>>>
  /** Whole or not at all. */
  write(settings: Readonly<Record<string, unknown>>): Promise<void>
  /** Another text whenever it was written and those who run are to follow. */
  version(): Promise<string>
}
