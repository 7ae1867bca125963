import { spareHeapBytes } from '../../runtime/heap.ts'

/** What a document may cost at most. Beyond a limit the rest is skipped and a problem says so. */
export interface ParseLimits {
  readonly maxBytes: number
  /** Nested elements; deeper ones are counted but not read. */
  readonly maxDepth: number
  readonly maxItems: number
  /** Characters of one title, summary, content … */
  readonly maxFieldChars: number
  /** Characters of all that an item has beside its texts: lists of a hundred hold it, whatever it is. */
  readonly maxLabelChars: number
  /** Characters that entities declared in the document may expand to, in total. */
  readonly maxEntityChars: number
  /** Attributes of one element. */
  readonly maxAttributes: number
  /** Broken tags before the rest of the document is given up. */
  readonly maxFaults: number
  /** Values of a JSON document: 15 MiB of `{}` would be five million objects, 280 MB. */
  readonly maxJsonValues: number
  /** Values stored per item beyond those that the model knows by name. */
  readonly maxExtensions: number
}

export const DEFAULT_PARSE_LIMITS: ParseLimits = {
  maxBytes: 15 * 1024 * 1024,
  maxDepth: 200,
  maxItems: 10_000,
  // Storing, asking about and rendering a text takes some ten times as much for a moment, and several are at work at once.
  maxFieldChars: Math.min(4 * 1024 * 1024, Math.floor(spareHeapBytes() / 128)),
  maxLabelChars: Math.min(64 * 1024, Math.floor(spareHeapBytes() / 1024)),
  maxEntityChars: 64 * 1024,
  maxAttributes: 200,
  maxFaults: 20_000,
  // 40 for each of so many items; each takes up to 150 bytes.
  maxJsonValues: Math.min(400_000, Math.floor(spareHeapBytes() / 256)),
  maxExtensions: 100,
}
