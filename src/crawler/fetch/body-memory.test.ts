import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spareHeapBytes } from '../../runtime/heap.ts'
import { BodyMemory, ENDLESS_BODY_MEMORY, roomSizeFor, workBytesOf } from './body-memory.ts'

const PATIENT_MS = 60_000
const MIB = 1024 ** 2
const SIZE = { ...ENDLESS_BODY_MEMORY, capacityBytes: 100, largestBytes: 2_000 }

describe('room for bodies', () => {
  it('is given while there is some, and again when it was returned', async () => {
    const memory = new BodyMemory(SIZE, PATIENT_MS)
    const [a, b] = [memory.lease(), memory.lease()]
    expect(a.take(60)).toBe(true)
    expect(b.take(40)).toBe(true)
    const more = b.take(10)
    expect(more).not.toBe(true)
    a.release()
    expect(await more).toBe(true)
    expect(memory.takenBytes).toBe(50)
    b.release()
    expect(memory.takenBytes).toBe(0)
  })

  it('is always given to the oldest holder, so that no two wait for each other', () => {
    const memory = new BodyMemory(SIZE, PATIENT_MS)
    const [a, b] = [memory.lease(), memory.lease()]
    expect([a.take(50), b.take(50)]).toEqual([true, true])
    void b.take(50)
    expect(a.take(500)).toBe(true)
  })

  it('is refused after a while, and nothing of it is taken then', async () => {
    const memory = new BodyMemory(SIZE, 10)
    const [a, b] = [memory.lease(), memory.lease()]
    a.take(100)
    expect(await b.take(10)).toBe(false)
    expect(memory.takenBytes).toBe(100)
  })

  it('is refused at once to a body that wants more than one may have', () => {
    const lease = new BodyMemory(SIZE, PATIENT_MS).lease()
    expect([lease.take(2_000), lease.take(1)]).toEqual([true, false])
  })

  it('is no longer waited for by a body that gave up', async () => {
    const memory = new BodyMemory(SIZE, PATIENT_MS)
    const [a, b] = [memory.lease(), memory.lease()]
    a.take(100)
    const more = b.take(10)
    b.release()
    expect(await more).toBe(false)
    a.release()
    a.release()
    expect(memory.takenBytes).toBe(0)
  })

  it('any bodies are all read to their end, and only the oldest ever exceeds the room', async () => {
    const bodies = fc.array(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 6 }), {
      maxLength: 20,
    })
    await fc.assert(
      fc.asyncProperty(bodies, async (all) => {
        const memory = new BodyMemory(SIZE, PATIENT_MS)
        let finished = 0
        const reading = all.map(async (steps, i) => {
          const lease = memory.lease()
          const largest = Math.max(0, ...all.map((other) => other.reduce((sum, step) => sum + step, 0)))
          for (const step of steps) {
            expect(await lease.take(step)).toBe(true)
            expect(memory.takenBytes).toBeLessThanOrEqual(100 + largest)
            for (let turn = 0; turn < i % 3; turn++) await null
          }
          lease.release()
          finished++
        })
        await Promise.all(reading)
        expect([finished, memory.takenBytes]).toEqual([all.length, 0])
      }),
      { numRuns: 50 },
    )
  })

  it('whole bodies are processed in their order, as many as fit into the heap, one at least', async () => {
    const room = new BodyMemory({ ...SIZE, workBytes: workBytesOf(2_000) }, PATIENT_MS)
    const [large, first, second] = [room.lease(), room.lease(), room.lease()]
    expect(large.work(1_000_000)).toBe(true)
    const [one, two] = [first.work(1_500), second.work(10)]
    expect([one, two]).toEqual([expect.any(Promise), expect.any(Promise)])
    large.release()
    expect(await Promise.all([one, two])).toEqual([true, true])
    expect(room.workTakenBytes).toBe(workBytesOf(1_500) + workBytesOf(10))
    first.release()
    second.release()
    expect(room.workTakenBytes).toBe(0)
  })

  it('nobody is served before one that has waited longer, or a large body would wait for ever', async () => {
    const room = new BodyMemory({ ...SIZE, workBytes: workBytesOf(2_000) }, PATIENT_MS)
    const [small, large, next] = [room.lease(), room.lease(), room.lease()]
    expect(small.work(1_000)).toBe(true)
    const waiting = [large.work(2_000), next.work(10)]
    small.release()
    expect(await waiting[0]).toBe(true)
    expect(room.workTakenBytes).toBe(workBytesOf(2_000))
    large.release()
    expect(await waiting[1]).toBe(true)
  })

  it('who works on several pages gets on before others begin', async () => {
    const room = new BodyMemory({ ...SIZE, workBytes: 1 }, PATIENT_MS)
    const [one, other] = [room.lease(), room.lease()]
    expect(one.work(100)).toBe(true)
    const waiting = other.work(100)
    expect(one.work(100)).toBe(true)
    one.release()
    expect(await waiting).toBe(true)
  })

  it.each([
    ['96 MB of heap', 96],
    ['128 MB of heap', 128],
    ['64 MB of heap', 64],
  ])('with %s all that bodies may take of the heap is less than there is to spare', (_, mb) => {
    const spareBytes = spareHeapBytes((mb + 48) * MIB)
    const { freeBytes, workBytes, largestBytes } = roomSizeFor(spareBytes, 32)
    expect(32 * workBytesOf(freeBytes) + workBytes).toBeLessThan(0.8 * spareBytes)
    expect(largestBytes).toBeLessThanOrEqual(spareBytes / 12)
  })

  it('a usual heap has room for whatever is sent', () => {
    const { freeBytes, largestBytes, capacityBytes } = roomSizeFor(spareHeapBytes(2_096 * MIB), 32)
    expect(freeBytes).toBe(64 * 1024)
    expect(Math.min(largestBytes, capacityBytes)).toBeGreaterThan(15 * MIB)
  })
})
