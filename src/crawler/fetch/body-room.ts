import { type DurationMs, SECOND_MS } from '../../model/index.ts'

/** A body up to this size takes no room: nearly all do, and one for each place is little. */
export const FREE_BYTES = 64 * 1024

/** Longer than this nobody waits for room: the place is better used by others, and the source is tried again. */
const PATIENCE_MS: DurationMs = 3 * SECOND_MS

/** Room in memory that one refresh has taken for what it reads. */
export interface BodyLease {
  /** More of it; false when there was none within a few seconds, or when it would be more than one may have. */
  take(bytes: number): boolean | Promise<boolean>
  /** What was read has been stored, or dropped. */
  release(): void
}

export interface RoomSize {
  /** For all together. */
  readonly capacityBytes: number
  /** For one alone. */
  readonly largestBytes: number
}

export const ENDLESS_BODY_ROOM: RoomSize = {
  capacityBytes: Number.POSITIVE_INFINITY,
  largestBytes: Number.POSITIVE_INFINITY,
}

interface Waiting {
  readonly lease: Lease
  readonly bytes: number
  readonly answer: (isGranted: boolean) => void
}

interface Lease {
  bytes: number
}

/**
 * Room in memory for bodies that are read and worked through at the same time. Each takes more as it grows, and gives all
 * of it back when its items are stored. Who has had some for the longest always gets more, whatever that comes to: so two
 * that are half read never wait for each other, and a body larger than all of the room is read too, alone, up to the
 * largest that one may have.
 */
export class BodyRoom {
  readonly #capacityBytes: number
  readonly #largestBytes: number
  readonly #patienceMs: DurationMs
  /** In the order of their first taking. */
  readonly #leases = new Set<Lease>()
  readonly #waiting = new Set<Waiting>()
  #takenBytes = 0

  constructor({ capacityBytes, largestBytes }: RoomSize, patienceMs: DurationMs = PATIENCE_MS) {
    this.#capacityBytes = capacityBytes
    this.#largestBytes = largestBytes
    this.#patienceMs = patienceMs
  }

  get takenBytes(): number {
    return this.#takenBytes
  }

  lease(): BodyLease {
    const lease: Lease = { bytes: 0 }
    return {
      take: (bytes) => {
        if (lease.bytes + bytes > this.#largestBytes) return false
        return this.#grants(lease, bytes) || this.#wait(lease, bytes)
      },
      release: () => this.#release(lease),
    }
  }

  #grants(lease: Lease, bytes: number): boolean {
    const [oldest = lease] = this.#leases
    if (lease !== oldest && this.#takenBytes + bytes > this.#capacityBytes) return false
    this.#leases.add(lease)
    lease.bytes += bytes
    this.#takenBytes += bytes
    return true
  }

  #wait(lease: Lease, bytes: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiting.answer(false), this.#patienceMs)
      const waiting: Waiting = {
        lease,
        bytes,
        answer: (isGranted) => {
          clearTimeout(timer)
          this.#waiting.delete(waiting)
          resolve(isGranted)
        },
      }
      this.#waiting.add(waiting)
    })
  }

  #release(lease: Lease): void {
    for (const waiting of this.#waiting) if (waiting.lease === lease) waiting.answer(false)
    if (!this.#leases.delete(lease)) return
    this.#takenBytes -= lease.bytes
    lease.bytes = 0
    for (const waiting of this.#waiting) if (this.#grants(waiting.lease, waiting.bytes)) waiting.answer(true)
  }
}
