import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assignShards } from './rendezvous.ts'
import { SHARDS } from './shards.ts'

const members = fc.uniqueArray(fc.uuid(), { minLength: 2, maxLength: 24 })

const countOf = (owners: readonly string[], id: string) => owners.filter((one) => one === id).length
/** Of n members a shard goes to each with the chance 1/n: five times the deviation of that many draws, and a little. */
const within = (n: number, shards = SHARDS) => 5 * Math.sqrt((shards / n) * (1 - 1 / n)) + 2

describe('the members that shall own the shards', () => {
  it('have about as many each', () => {
    fc.assert(
      fc.property(members, (ids) => {
        const owners = assignShards(ids, SHARDS)
        expect(owners).toHaveLength(SHARDS)
        for (const id of ids) {
          expect(Math.abs(countOf(owners, id) - SHARDS / ids.length)).toBeLessThan(within(ids.length))
        }
      }),
    )
  })

  it('are the same, whoever asks and in whichever order', () => {
    fc.assert(
      fc.property(members, (ids) => {
        expect(assignShards([...ids.toReversed(), ...ids], 64)).toEqual(assignShards(ids, 64))
      }),
    )
  })

  it('keep what they have when one goes: its shards alone move, to all of the others', () => {
    fc.assert(
      fc.property(members, fc.nat(), (ids, k) => {
        const gone = ids[k % ids.length]
        const left = ids.filter((id) => id !== gone)
        const before = assignShards(ids, SHARDS)
        const after = assignShards(left, SHARDS)
        const moved = before.flatMap((owner, shard) => (owner === after[shard] ? [] : [owner]))
        expect(new Set(moved)).toEqual(new Set(countOf(before, gone ?? '') === 0 ? [] : [gone]))
        const perOther = moved.length / left.length
        const taken = left.map((id) => countOf(after, id) - countOf(before, id))
        for (const count of taken) expect(Math.abs(count - perOther)).toBeLessThan(within(left.length, moved.length))
      }),
    )
  })

  it('give a newcomer its share and nothing to each other', () => {
    fc.assert(
      fc.property(members, fc.uuid(), (ids, newcomer) => {
        fc.pre(!ids.includes(newcomer))
        const before = assignShards(ids, SHARDS)
        const after = assignShards([...ids, newcomer], SHARDS)
        const moved = after.filter((owner, shard) => owner !== before[shard])
        expect(new Set(moved)).toEqual(new Set([newcomer]))
        const n = ids.length + 1
        expect(Math.abs(moved.length - SHARDS / n)).toBeLessThan(within(n))
      }),
    )
  })

  it('never change: members of two versions must agree', () => {
    expect(assignShards(['a', 'b', 'c'], 12).join('')).toMatchInlineSnapshot(`"bbbbabcabcab"`)
  })

  it('are nobody where there is nobody, and one where there is one', () => {
    expect(assignShards([], SHARDS)).toEqual([])
    expect(new Set(assignShards(['a'], SHARDS))).toEqual(new Set(['a']))
  })
})
