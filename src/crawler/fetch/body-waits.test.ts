import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type BodyLease, BodyMemory, ENDLESS_BODY_MEMORY, workBytesOf } from './body-memory.ts'

const SIZE = { ...ENDLESS_BODY_MEMORY, capacityBytes: 100, largestBytes: 2_000, workBytes: workBytesOf(100) }
/** Longer than anybody waits for memory, to read and then to work. */
const ENDLESS_MS = 60_000

/** What becomes of one body; times in ms. */
interface Body {
  readonly arrivesAfterMs: number
  readonly steps: readonly number[]
  readonly stepMs: number
  readonly workMs: number
  /** Called off so long after its arrival, wherever it is; null: it is not. */
  readonly abortMs: number | null
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Reads one as an exchange does, which learns of an abort only when what it waits for has come. */
async function read(lease: BodyLease, { steps, stepMs, workMs }: Body, isOver: () => boolean): Promise<string> {
  for (const step of steps) {
    if (!(await lease.take(step))) return 'no room'
    if (isOver()) return 'aborted'
    await sleep(stepMs)
  }
  if (!(await lease.work(steps.reduce((sum, step) => sum + step, 0)))) return 'no turn'
  if (isOver()) return 'aborted'
  await sleep(workMs)
  return 'done'
}

async function refresh(memory: BodyMemory, body: Body): Promise<string> {
  await sleep(body.arrivesAfterMs)
  const lease = memory.lease()
  let isAborted = false
  const reading = read(lease, body, () => isAborted)
  const { abortMs } = body
  const aborting = abortMs === null ? [] : [sleep(abortMs).then(() => 'aborted')]
  const end = await Promise.race([reading, ...aborting])
  isAborted = true
  lease.release()
  await reading
  return end
}

const anyBody: fc.Arbitrary<Body> = fc.record({
  arrivesAfterMs: fc.nat(200),
  steps: fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 4 }),
  stepMs: fc.constantFrom(0, 1, 50),
  workMs: fc.constantFrom(0, 10, 500, 20_000),
  abortMs: fc.option(fc.constantFrom(0, 1, 51, 3_000)),
})

describe('bodies that wait for memory', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('none waits for ever, and all is returned, whichever body comes, fails, is aborted or takes long', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyBody, { maxLength: 12 }), async (bodies) => {
        const memory = new BodyMemory(SIZE)
        const ends: string[] = []
        for (const body of bodies) void refresh(memory, body).then((end) => ends.push(end))
        await vi.advanceTimersByTimeAsync(ENDLESS_MS * (1 + bodies.length))
        expect([ends.length, memory.takenBytes, memory.workTakenBytes]).toEqual([bodies.length, 0, 0])
        expect(vi.getTimerCount()).toBe(0)
      }),
      { numRuns: 100 },
    )
  })

  it('none is refused while nobody else has any', async () => {
    const patient = fc.record({
      steps: fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 4 }),
      stepMs: fc.constantFrom(0, 1, 50),
      workMs: fc.constantFrom(0, 10, 200),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(patient, { maxLength: 6 }), async (bodies) => {
        const memory = new BodyMemory(SIZE)
        const reading = bodies.map((body) => refresh(memory, { ...body, arrivesAfterMs: 0, abortMs: null }))
        await vi.advanceTimersByTimeAsync(ENDLESS_MS)
        // Together they take less time than anybody waits.
        expect(await Promise.all(reading)).toEqual(bodies.map(() => 'done'))
      }),
      { numRuns: 100 },
    )
  })

  it('who has given its room back gets none any more', async () => {
    const memory = new BodyMemory(SIZE)
    const lease = memory.lease()
    lease.release()
    expect([await lease.take(10), await lease.work(10)]).toEqual([false, false])
    expect([memory.takenBytes, memory.workTakenBytes]).toEqual([0, 0])
  })
})
