import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { moveData } from '../../src/app/data/move.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { createLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { openVault } from '../../src/runtime/vault.ts'
import type { MoveStep } from '../../src/store/transfer/move.ts'
import { Numbering } from '../contract/numbering.ts'
import type { OpenStore } from '../contract/store.fixture.ts'
import { everything } from '../contract/store-actions.ts'
import { restOfStore } from './full-world.ts'

const environment = { clock: systemClock, random: seededRandom(1), logger: createLogger('silent') }

/** As `headwater move` does it. */
export function move(from: string, to: string, more: { readonly onProgress?: (step: MoveStep) => void } = {}) {
  // The key of a database lies in the folder.
  const dataDir = from.startsWith('postgres') ? to : undefined
  return moveData({ from, to, dataDir, usualDataDir: '/nowhere', variables: {}, environment, ...more })
}

/** The same key for both, as a move wants it: who has none gets the other's. */
export function shareKey(dir: string, other: string): void {
  const own = join(dir, 'headwater.key')
  if (existsSync(other)) copyFileSync(other, own)
  else {
    openVault(own).seal('')
    copyFileSync(own, other)
  }
}

/** All that can be asked, and closes it. */
export async function answersOf(opened: OpenStore): Promise<unknown> {
  try {
    return [await everything({ ...opened, numbers: new Numbering() }, 0), await restOfStore(opened)]
  } finally {
    await opened.store.close()
  }
}

/** As PostgreSQL keeps it. */
export function withoutNul(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\u0000', '\ufffd')
  if (Array.isArray(value)) return value.map(withoutNul)
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, withoutNul(one)]))
  if (value === null || typeof value !== 'object') return value
  if (ArrayBuffer.isView(value)) return [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)]
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutNul(one)]))
}
