import { describe, expect, it } from 'vitest'
import { singleFlight } from './single-flight.ts'

describe('single flight', () => {
  it('does the work once for all who ask meanwhile, and anew for who asks later', async () => {
    const fly = singleFlight<string, number>()
    let runs = 0
    const work = async () => ++runs
    expect(await Promise.all([fly('a', work), fly('a', work), fly('a', work)])).toEqual([1, 1, 1])
    expect(await fly('a', work)).toBe(2)
  })

  it('keeps keys apart', async () => {
    const fly = singleFlight<string, string>()
    expect(await Promise.all([fly('a', async () => 'A'), fly('b', async () => 'B')])).toEqual(['A', 'B'])
  })

  it('hands a failure to all who asked, and forgets it', async () => {
    const fly = singleFlight<string, string>()
    const fail = () => {
      throw new Error('no')
    }
    const both = await Promise.allSettled([fly('a', fail), fly('a', async () => 'never run')])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await fly('a', async () => 'fine')).toBe('fine')
  })
})
