import type { SourceIcon } from '../../model/index.ts'
import type { IconRecord } from '../icons.ts'

/** A row of `source_icon` that has a picture, alike in both databases. */
export interface IconRow {
  readonly source_id: number
  readonly type: string
  readonly hash: string
  readonly body: Uint8Array
}

export function iconOf({ source_id: sourceId, type, hash, body }: IconRow): SourceIcon {
  return { sourceId, type, hash, body }
}

/** What is written of the picture; null: it stays as it is. */
export function pictureColumns({
  found,
}: IconRecord): readonly [type: string | null, hash: string | null, body: Uint8Array | null] | null {
  if (found === null) return null
  return found === 'none' ? [null, null, null] : [found.type, found.hash, found.body]
}
