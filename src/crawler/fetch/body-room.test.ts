import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BodyRoom } from './body-room.ts'

const PATIENT_MS = 60_000
const SIZE = { capacityBytes: 100, largestBytes: 2_000 }

describe('room for bodies', () => {
  it('is given while there is some, and again when it was given back', async () => {
    const room = new BodyRoom(SIZE, PATIENT_MS)
    const [a, b] = [room.lease(), room.lease()]
    expect(a.take(60)).toBe(true)
    expect(b.take(40)).toBe(true)
    const more = b.take(10)
    expect(more).not.toBe(true)
    a.release()
    expect(await more).toBe(true)
    expect(room.takenBytes).toBe(50)
    b.release()
    expect(room.takenBytes).toBe(0)
  })

  it('is always given to who has had some for the longest: nobody waits for each other', () => {
    const room = new BodyRoom(SIZE, PATIENT_MS)
    const [a, b] = [room.lease(), room.lease()]
    expect([a.take(50), b.take(50)]).toEqual([true, true])
    void b.take(50)
    expect(a.take(500)).toBe(true)
  })

  it('is refused after a while, and nothing of it is taken then', async () => {
    const room = new BodyRoom(SIZE, 10)
    const [a, b] = [room.lease(), room.lease()]
    a.take(100)
    expect(await b.take(10)).toBe(false)
    expect(room.takenBytes).toBe(100)
  })

  it('is refused at once to who wants more than one may have', () => {
    const lease = new BodyRoom(SIZE, PATIENT_MS).lease()
    expect([lease.take(2_000), lease.take(1)]).toEqual([true, false])
  })

  it('is no longer waited for by who gave it back', async () => {
    const room = new BodyRoom(SIZE, PATIENT_MS)
    const [a, b] = [room.lease(), room.lease()]
    a.take(100)
    const more = b.take(10)
    b.release()
    expect(await more).toBe(false)
    a.release()
    a.release()
    expect(room.takenBytes).toBe(0)
  })

  it('any bodies are all read to their end, and only the oldest ever exceeds the room', async () => {
    const bodies = fc.array(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 6 }), {
      maxLength: 20,
    })
    await fc.assert(
      fc.asyncProperty(bodies, async (all) => {
        const room = new BodyRoom(SIZE, PATIENT_MS)
        let finished = 0
        const reading = all.map(async (steps, i) => {
          const lease = room.lease()
          const largest = Math.max(0, ...all.map((other) => other.reduce((sum, step) => sum + step, 0)))
          for (const step of steps) {
            expect(await lease.take(step)).toBe(true)
            expect(room.takenBytes).toBeLessThanOrEqual(100 + largest)
            for (let turn = 0; turn < i % 3; turn++) await null
          }
          lease.release()
          finished++
        })
        await Promise.all(reading)
        expect([finished, room.takenBytes]).toEqual([all.length, 0])
      }),
      { numRuns: 50 },
    )
  })
})
