import type { WindowEntry } from '../../model/index.ts'
import type { TransferTable } from './tables.ts'

/** A value of a row, in the same form whatever store it comes from. */
export type TransferValue =
  | null
  | number
  | string
  | boolean
  | Buffer
  | readonly string[]
  | readonly number[]
  | readonly WindowEntry[]

/** In the order of the table's columns. */
export type TransferRow = readonly TransferValue[]

/** Behind which row to go on reading, in the words of the store that gave it; it can be written as JSON. */
export type TransferPlace = readonly (number | string | { readonly hex: string })[]

export interface TransferPage {
  readonly rows: readonly TransferRow[]
  /** null: those were the last. */
  readonly next: TransferPlace | null
}

/** How far a move has come; it stands in the store that is moved to, and is written with what it speaks of. */
export interface MoveProgress {
  /** By which the store that is moved from is known again, as it was when the move began. */
  readonly from: string
  /** The name of the table whose rows are being copied; null: all are there. */
  readonly table: string | null
  readonly after: TransferPlace | null
}

/** A store as a move sees it: rows by their tables, with their numbers. No node may use it meanwhile. */
export interface Transfer {
  /** As people know it. */
  readonly name: string
  read(table: TransferTable, after: TransferPlace | null): Promise<TransferPage>
  count(table: TransferTable): Promise<number>
  /** null: no move into it is under way. Where one is, no node opens it. */
  progress(): Promise<MoveProgress | null>
  /** Removes all there is, and notes that a move has begun. */
  begin(progress: MoveProgress): Promise<void>
  /** Rows and progress, both or neither. */
  write(table: TransferTable, rows: readonly TransferRow[], progress: MoveProgress): Promise<void>
  /** Makes what is not moved from what was. May be repeated. */
  derive(): Promise<void>
  /** The move is over: nodes may open it. */
  end(): Promise<void>
  close(): Promise<void>
}

/** In the states of a store, where the progress of a move into it stands. */
export const MOVE_STATE = 'move'
