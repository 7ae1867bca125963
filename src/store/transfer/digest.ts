import { createHash } from 'node:crypto'
import type { TransferTable } from './tables.ts'
import type { Transfer, TransferPlace, TransferRow, TransferValue } from './transfer.ts'

/** Of the rows of a table, in whatever order they come. */
export interface TableDigest {
  readonly rows: number
  /** The sum of the hashes of all rows, as hex digits. */
  readonly sum: string
}

const LANES = 4

/** Reads a whole table; `tick` is told how many rows came. */
export async function digestOf(
  transfer: Transfer,
  table: TransferTable,
  tick: (rows: number) => void = () => {},
): Promise<TableDigest> {
  const lanes = new Array<bigint>(LANES).fill(0n)
  let rows = 0
  for (let after: TransferPlace | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const page = await transfer.read(table, after)
    for (const row of page.rows) add(lanes, row)
    rows += page.rows.length
    tick(page.rows.length)
    after = page.next
  }
  return { rows, sum: lanes.map((lane) => lane.toString(16).padStart(16, '0')).join('') }
}

/** A sum, so that two databases may give the same rows in another order; one row in the place of another changes it. */
function add(lanes: bigint[], row: TransferRow): void {
  const hash = createHash('sha256')
    .update(JSON.stringify(row.map(plain)))
    .digest()
  for (let lane = 0; lane < LANES; lane++) {
    lanes[lane] = BigInt.asUintN(64, (lanes[lane] ?? 0n) + hash.readBigUInt64LE(lane * 8))
  }
}

const NUL = '\u0000'

/** What JSON tells apart. NUL is as PostgreSQL keeps it (sql.ts there). */
function plain(value: TransferValue): unknown {
  if (typeof value === 'string') return value.includes(NUL) ? value.replaceAll(NUL, '\ufffd') : value
  if (typeof value === 'number') return Number.isFinite(value) ? value : { number: String(value) }
  return Buffer.isBuffer(value) ? { bytes: value.toString('base64') } : value
}
