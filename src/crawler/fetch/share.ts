import type { DurationMs } from '../../model/index.ts'

interface Waiting {
  readonly holder: object
  readonly bytes: number
  readonly answer: (isGranted: boolean) => void
}

/** Who gets returned memory: any holder that needs no more than that, or nobody before the first who waits. */
export type Turn = 'whoever fits' | 'first come'

/**
 * So much memory, shared by many that take more of it as they read. The oldest holder always gets more,
 * whatever that comes to: so two that are half done never wait for each other, and one alone may have more than all of it.
 */
export class Share {
  readonly #capacityBytes: number
  readonly #patienceMs: DurationMs
  readonly #turn: Turn
  /** In the order of their first taking. */
  readonly #bytes = new Map<object, number>()
  readonly #waiting = new Set<Waiting>()
  #takenBytes = 0

  constructor(capacityBytes: number, patienceMs: DurationMs, turn: Turn) {
    this.#capacityBytes = capacityBytes
    this.#patienceMs = patienceMs
    this.#turn = turn
  }

  get takenBytes(): number {
    return this.#takenBytes
  }

  bytesOf(holder: object): number {
    return this.#bytes.get(holder) ?? 0
  }

  /** false: there was none for too long. */
  take(holder: object, bytes: number): boolean | Promise<boolean> {
    const isItsTurn = this.#turn === 'whoever fits' || this.#waiting.size === 0 || this.#isOldest(holder)
    return (isItsTurn && this.#grants(holder, bytes)) || this.#wait(holder, bytes)
  }

  release(holder: object): void {
    for (const waiting of this.#waiting) if (waiting.holder === holder) waiting.answer(false)
    this.#takenBytes -= this.bytesOf(holder)
    this.#bytes.delete(holder)
    this.#letOn()
  }

  #isOldest(holder: object): boolean {
    const [oldest = holder] = this.#bytes.keys()
    return holder === oldest
  }

  #grants(holder: object, bytes: number): boolean {
    if (!this.#isOldest(holder) && this.#takenBytes + bytes > this.#capacityBytes) return false
    this.#bytes.set(holder, this.bytesOf(holder) + bytes)
    this.#takenBytes += bytes
    return true
  }

  #wait(holder: object, bytes: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        waiting.answer(false)
        // The next may need less.
        this.#letOn()
      }, this.#patienceMs)
      const waiting: Waiting = {
        holder,
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

  #letOn(): void {
    let isOpen = true
    for (const waiting of this.#waiting) {
      const mayTake = isOpen || this.#turn === 'whoever fits' || this.#isOldest(waiting.holder)
      if (mayTake && this.#grants(waiting.holder, waiting.bytes)) waiting.answer(true)
      else isOpen = false
    }
  }
}
