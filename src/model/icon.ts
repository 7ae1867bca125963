import type { SourceId } from './ids.ts'

/** The picture that stands for a source in lists. */
export interface SourceIcon {
  readonly sourceId: SourceId
  /** Of its bytes: `image/png` and the like. */
  readonly type: string
  /** Of its bytes, short: another picture has another. */
  readonly hash: string
  readonly body: Uint8Array
}

/** A source whose icon is to be looked for. */
export interface DueIcon {
  readonly sourceId: SourceId
  /** That came to nothing, one after the other. */
  readonly attempts: number
}
