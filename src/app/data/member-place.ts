import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HeadwaterError } from '../../runtime/errors.ts'
import { randomSecret } from '../../runtime/random.ts'
import { type FolderLock, lockDataFolder } from '../../store/sqlite/database/lock.ts'
import { makePrivateFolder, PRIVATE_FILE } from '../../store/sqlite/database/private-file.ts'
import type { RoleName } from './role-names.ts'

/** In the data folder: who the processes of this machine are. */
export const MEMBERS_FOLDER = 'members'
const ID_FILE = 'id'

export interface MemberPlace {
  /** The same after the next start; no other process has it meanwhile. */
  readonly id: string
  release(): void
}

/**
 * The member of a cluster that a process with these roles is: the data folder, its roles and, where several of them run on one
 * folder, a number that the operating system keeps as long as the process lives. Where nothing can be written, another
 * one each time.
 */
export function takeMemberPlace(dataDir: string, roles: readonly RoleName[]): MemberPlace {
  try {
    const folder = join(dataDir, MEMBERS_FOLDER)
    makePrivateFolder(folder)
    const machine = machineId(folder)
    const { place, lock } = freePlace(folder, roles.join('-'))
    return { id: `${machine}-${place}`, release: () => lock.release() }
  } catch {
    return { id: randomSecret(), release: () => {} }
  }
}

/** Whole or not at all; of two that make one at the same time the last counts, so it is read again. */
function machineId(folder: string): string {
  const path = join(folder, ID_FILE)
  if (!existsSync(path)) {
    const draft = `${path}.${randomSecret()}`
    writeFileSync(draft, `${randomSecret()}\n`, { mode: PRIVATE_FILE })
    renameSync(draft, path)
  }
  return readFileSync(path, 'utf8').trim()
}

function freePlace(folder: string, roles: string): { readonly place: string; readonly lock: FolderLock } {
  for (let number = 1; ; number++) {
    const place = `${roles}-${number}`
    try {
      return { place, lock: lockDataFolder(folder, place) }
    } catch (error) {
      if (!(error instanceof HeadwaterError) || error.code !== 'STORE_LOCKED') throw error
    }
  }
}
