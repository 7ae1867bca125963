import type { WindowEntry } from '../../../model/index.ts'
import { packHash, unpackHash } from '../../rows/hashes.ts'
import { packWindow, unpackWindow } from '../../rows/windows.ts'
import type { ColumnKind } from '../../transfer/tables.ts'
import type { TransferValue } from '../../transfer/transfer.ts'

/** As SQLite gives a value. */
type Stored = null | number | string | Buffer

export function readValue(kind: ColumnKind, stored: Stored): TransferValue {
  if (stored === null) return kind === 'texts' ? [] : null
  switch (kind) {
    case 'integer':
      // SQLite keeps what it is given, PostgreSQL whole numbers alone.
      return Math.trunc(Number(stored))
    case 'number':
      return Number(stored)
    case 'flag':
      return stored === 1
    case 'hash':
      return typeof stored === 'number' ? String(stored) : unpackHash(stored)
    case 'bytes':
      return Buffer.isBuffer(stored) ? stored : Buffer.from(String(stored))
    case 'window':
      return typeof stored === 'number' ? [] : unpackWindow(stored)
    case 'texts':
      return JSON.parse(String(stored)) as string[]
    case 'integers':
      return integersOf(JSON.parse(String(stored)) as number[])
    case 'text':
      return String(stored)
  }
}

function integersOf(given: readonly number[]): readonly number[] | null {
  return given.length === 0 ? null : given.map(Math.trunc)
}

export function storedOf(kind: ColumnKind, value: TransferValue): Stored {
  if (value === null) return null
  switch (kind) {
    case 'flag':
      return value === true ? 1 : 0
    case 'hash':
      return packHash(String(value))
    case 'window':
      return packWindow(value as readonly WindowEntry[])
    case 'texts':
    case 'integers':
      return JSON.stringify(value)
    default:
      return value as Stored
  }
}
