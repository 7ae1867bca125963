import { join } from 'node:path'
import { HeadwaterError } from '../../runtime/errors.ts'
import { KEY_FILE, openVault } from '../../runtime/vault.ts'
import { parseAddress } from '../../store/postgres/database/address.ts'
import type { PostgresStore } from '../../store/postgres/index.ts'
import type { SettingsDocument } from '../settings/settings-document.ts'
import { closeToOthers } from './data-folder.ts'
import { takeMemberPlace } from './member-place.ts'
import type { DataPlace, OpenedData, OpenOptions, RoleLocks } from './opened-data.ts'

/** One database for any number of processes; `dataDir` holds what stays on this machine: the key, files of subscriptions. */
export function postgresPlace(url: string, dataDir: string): DataPlace {
  const address = parseAddress(url)
  const name = address.shown
  const glance = async () => (await loadStore()).glanceAt(address)
  return {
    name,
    settings: { read: async () => parseSettings((await glance()).settings, name) },
    exists: async () => (await glance()).exists,
    prepare: (environment) => closeToOthers(dataDir, environment),
    open: (options) => open(url, name, dataDir, options),
    restore: null,
  }
}

/** Who keeps to SQLite loads none of it. */
function loadStore(): Promise<typeof import('../../store/postgres/index.ts')> {
  return import('../../store/postgres/index.ts')
}

async function open(url: string, name: string, dataDir: string, options: OpenOptions): Promise<OpenedData> {
  const { config, clock, roles, background, onUnreadableState } = options
  const { openPostgresStore } = await loadStore()
  const keyFile = config.keyFile ?? join(dataDir, KEY_FILE)
  const member = roles.length === 0 ? null : takeMemberPlace(dataDir, roles)
  const opening = openPostgresStore({
    url,
    clock,
    keyFile,
    roles,
    ...(member === null ? {} : { memberId: member.id }),
    bufferCapacity: config.bufferCapacity,
    onUnreadableState,
    ...(background === undefined ? {} : { background }),
  })
  opening.catch(() => member?.release())
  const opened = await opening
  const { store, buffer, notifier, clusterId, leases, grants, prices, queryShards, logIns, jobs, durability } = opened
  return {
    name,
    store,
    buffer,
    notifier,
    settings: databaseSettings(opened, name),
    locks: locksOf(opened, () => member?.release()),
    vault: openVault(keyFile),
    backups: null,
    disk: null,
    check: null,
    unsealed: null,
    isReadOnly: false,
    cluster: {
      id: clusterId,
      memberId: member?.id ?? null,
      leases,
      grants,
      prices,
      queryShards,
      logIns,
      jobs,
      durability,
    },
  }
}

/** Any number of processes may have the same role: nothing is refused. */
function locksOf({ runningRoles }: PostgresStore, release: () => void): RoleLocks {
  return {
    take: () => ({ release }),
    async isTaken(role) {
      const running = await runningRoles()
      return role === undefined ? running.size > 0 : running.has(role)
    },
  }
}

export function databaseSettings({ settings }: Pick<PostgresStore, 'settings'>, name: string): SettingsDocument {
  return {
    read: async () => parseSettings(await settings.read(), name),
    write: (document) => settings.write(JSON.stringify(document)),
    version: async () => String(await settings.version()),
  }
}

function parseSettings(text: string | null, name: string): Readonly<Record<string, unknown>> {
  const parsed = parsedOrNull(text ?? '{}')
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed }
  throw new HeadwaterError('SETTINGS_INVALID', `settings_document in ${name} must hold one JSON object`)
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
