import type { WindowEntry } from '../../../model/index.ts'
import { packHashBytes, unpackHash } from '../../rows/hashes.ts'
import { windowBytes, windowOfBytes } from '../../rows/windows.ts'
import type { ColumnKind } from '../../transfer/tables.ts'
import type { TransferValue } from '../../transfer/transfer.ts'

/** As the types of PostgreSQL, for an array of values and for one of them. Lists within are given as texts. */
export const TYPES: Readonly<Record<ColumnKind, { readonly given: string; readonly stored?: string }>> = {
  integer: { given: 'bigint' },
  number: { given: 'double precision' },
  text: { given: 'text' },
  flag: { given: 'boolean' },
  bytes: { given: 'bytea' },
  hash: { given: 'bytea' },
  window: { given: 'bytea' },
  texts: { given: 'text', stored: 'text[]' },
  integers: { given: 'text', stored: 'bigint[]' },
}

/** As `pg` gives a value. */
export type Stored = null | number | string | boolean | Buffer | readonly string[] | readonly number[]

export function readValue(kind: ColumnKind, stored: Stored): TransferValue {
  if (stored === null) return null
  if (kind === 'integers') return (stored as readonly number[]).length === 0 ? null : (stored as readonly number[])
  if (!Buffer.isBuffer(stored)) return stored
  if (kind === 'hash') return unpackHash(stored)
  return kind === 'window' ? windowOfBytes(stored) : stored
}

/** As it is given to the server. */
export function givenOf(kind: ColumnKind, value: TransferValue): unknown {
  if (value === null) return null
  switch (kind) {
    case 'hash':
      return packHashBytes(String(value))
    case 'window':
      return windowBytes(value as readonly WindowEntry[])
    case 'integers':
      return `{${(value as readonly number[]).join(',')}}`
    case 'texts':
      return `{${(value as readonly string[]).map(quoted).join(',')}}`
    default:
      return value
  }
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}
