import { type DurationMs, SECOND_MS } from '../../model/index.ts'
import { Share } from './share.ts'

/** A body up to this size takes no memory where there is plenty: most are smaller. */
const FREE_BYTES = 64 * 1024

/** Longer than this nobody waits for memory: the place is better used by others, and the source is tried again. */
const PATIENCE_MS: DurationMs = 3 * SECOND_MS
/** Others that are processed are soon done, and what has been read would have to be read again. */
const WORK_PATIENCE_MS: DurationMs = 15 * SECOND_MS

/** Room in memory that one refresh has taken for what it reads. */
export interface BodyLease {
  /** More of it; false when there was none within a few seconds, or when it would be more than one may have. */
  take(bytes: number): boolean | Promise<boolean>
  /** Room to process a body of so many bytes, once; false: others have taken too long. */
  work(bodyBytes: number): boolean | Promise<boolean>
  /** What was read has been stored, or dropped. A call that comes too late, as after an abort, changes nothing. */
  release(): void
}

export interface BodyMemorySize {
  /** For all together. */
  readonly capacityBytes: number
  /** For one alone. */
  readonly largestBytes: number
  /** A body up to this size takes no memory at all. */
  readonly freeBytes: number
  /** Of the heap, for all that are processed at the same time. */
  readonly workBytes: number
}

export const ENDLESS_BODY_MEMORY: BodyMemorySize = {
  capacityBytes: Number.POSITIVE_INFINITY,
  largestBytes: Number.POSITIVE_INFINITY,
  freeBytes: FREE_BYTES,
  workBytes: Number.POSITIVE_INFINITY,
}

/**
 * What a document takes of the heap until its items are stored: if it is all small items, 25 times its size, up to the ten
 * thousand that are read of it; if it is long texts or lists of small things, five times its size.
 */
const MOST_WORK_PER_BYTE = 25
const WORK_PER_BYTE = 5
const WORK_OF_ITEMS_BYTES = 16 * 1024 ** 2

export function workBytesOf(bodyBytes: number): number {
  return Math.min(MOST_WORK_PER_BYTE * bodyBytes, WORK_OF_ITEMS_BYTES + WORK_PER_BYTE * bodyBytes)
}

/** All sizes, so that `places` bodies at once fit into what a heap can spare. */
export function roomSizeFor(spareBytes: number, places: number): BodyMemorySize {
  return {
    capacityBytes: spareBytes / 12,
    largestBytes: spareBytes / 12,
    freeBytes: Math.min(FREE_BYTES, Math.floor(spareBytes / 4 / MOST_WORK_PER_BYTE / places)),
    workBytes: spareBytes / 2,
  }
}

/**
 * Room in memory for bodies that are read and processed at the same time. Each takes more as it grows, and gives all
 * of it back when its items are stored.
 *
 * A body is only bytes until it is complete. What it then takes of the heap is another thing, and many times its size: so
 * whole bodies are processed in the order in which they come, as many as fit together, one at least.
 */
export class BodyMemory {
  readonly #largestBytes: number
  readonly #reading: Share
  readonly #working: Share

  constructor({ capacityBytes, largestBytes, workBytes }: BodyMemorySize, patienceMs?: DurationMs) {
    this.#largestBytes = largestBytes
    this.#reading = new Share(capacityBytes, patienceMs ?? PATIENCE_MS, 'whoever fits')
    this.#working = new Share(workBytes, patienceMs ?? WORK_PATIENCE_MS, 'first come')
  }

  get takenBytes(): number {
    return this.#reading.takenBytes
  }

  get workTakenBytes(): number {
    return this.#working.takenBytes
  }

  lease(): BodyLease {
    const holder = {}
    let isOver = false
    const mayHave = (bytes: number) => !isOver && this.#reading.bytesOf(holder) + bytes <= this.#largestBytes
    return {
      take: (bytes) => mayHave(bytes) && this.#reading.take(holder, bytes),
      work: (bodyBytes) => !isOver && this.#working.take(holder, workBytesOf(bodyBytes)),
      release: () => {
        isOver = true
        this.#reading.release(holder)
        this.#working.release(holder)
      },
    }
  }
}
