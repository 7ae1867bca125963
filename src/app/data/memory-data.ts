import type { SettingsDocument } from '../settings/settings-document.ts'
import type { DataPlace, RoleLocks } from './opened-data.ts'

/** For tests and the lab: gone with the process, and each time it is opened another one. */
export function memoryPlace(): DataPlace {
  const common = { name: 'memory', settings: settingsInMemory() }
  return {
    ...common,
    exists: async () => false,
    prepare: () => {},
    open: async ({ config: { bufferCapacity }, clock, onUnreadableState }) => {
      const { createMemoryStore } = await import('../../store/memory/index.ts')
      return {
        ...common,
        ...createMemoryStore({ clock, bufferCapacity, onUnreadableState }),
        locks: NO_LOCKS,
        vault: { seal: (text) => text, open: (sealed) => sealed },
        backups: null,
        disk: null,
        check: null,
        unsealed: null,
        isReadOnly: false,
        cluster: null,
      }
    },
    restore: null,
  }
}

/** Nobody else can have it open. */
const NO_LOCKS: RoleLocks = { take: () => ({ release: () => {} }), isTaken: async () => false }

function settingsInMemory(): SettingsDocument {
  let document: Readonly<Record<string, unknown>> = {}
  let version = 0
  return {
    read: async () => document,
    async write(settings) {
      document = structuredClone(settings)
      version += 1
    },
    version: async () => String(version),
  }
}
