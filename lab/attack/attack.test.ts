import { describe, expect, it } from 'vitest'
import { type AttackClass, type AttackOutcome, holdsPromise, runAttacks } from './attack.ts'
import { ATTACKS } from './classes/index.ts'
import { attackJson, attackTable } from './report.ts'
import type { AttackStage } from './stage.ts'

const closed: string[] = []
const stage = { folder: 'f', close: async () => void closed.push('stage') } as unknown as AttackStage

function attack(name: string, outcome: () => AttackOutcome): AttackClass {
  return { name, promise: `${name} does no harm`, run: async () => outcome() }
}

function suite(atOnce: number, ...classes: AttackClass[]) {
  let ms = 0
  const clock = { monotonicMs: () => (ms += 500) }
  return runAttacks(classes, { effort: 'short', atOnce, clock, openStage: () => stage })
}

async function run(...classes: AttackClass[]) {
  return (await suite(1, ...classes)).results
}

describe('a run of the attack suite', () => {
  it('counts tries and hits, and holds only if nothing was hit', async () => {
    const good = attack('good', () => ({ tries: 3, hits: [] }))
    const bad = attack('bad', () => ({ tries: 4, hits: ['a file was given away'] }))
    const both = await suite(1, good, bad)
    const { results } = both
    expect(results.map(holdsPromise)).toEqual([true, false])
    expect(attackJson(both)).toMatchObject({ holds: false, tries: 7, hits: 1, effort: 'short' })
    expect(attackTable(results)).toMatch(/bad +4 +1 .*\n {2}HIT a file was given away/)
  })

  it('does not hold where a class could not be run, or tried nothing; and goes on with the next', async () => {
    const broken = attack('broken', () => {
      throw new Error('no node')
    })
    const results = await run(
      broken,
      attack('idle', () => ({ tries: 0, hits: [] })),
      attack('last', () => ({ tries: 1, hits: [] })),
    )
    expect(results.map(holdsPromise)).toEqual([false, false, true])
    expect(attackTable(results)).toContain('NOT RUN Error: no node')
  })

  it('says aloud what this machine does not let it try', async () => {
    const [result] = await run(attack('disk', () => ({ tries: 0, hits: [], skipped: ['mounting is refused'] })))
    expect(holdsPromise(result!)).toBe(true)
    expect(attackTable([result!])).toContain('skipped: mounting is refused')
  })

  it('runs so many classes beside each other, and reports them in their order', async () => {
    let under = 0
    let most = 0
    const classes = ['a', 'b', 'c', 'd', 'e'].map((name, index): AttackClass => {
      const wait = async () => {
        most = Math.max(most, ++under)
        for (let turn = 10 * (5 - index); turn > 0; turn--) await Promise.resolve()
        under -= 1
        return { tries: index, hits: [] }
      }
      return { name, promise: 'waits', run: wait }
    })
    const { results } = await suite(2, ...classes)
    expect(results.map(({ name, tries }) => `${name}${tries}`)).toEqual(['a0', 'b1', 'c2', 'd3', 'e4'])
    expect(most).toBe(2)
  })

  it('closes the stage of every class, also of one that breaks', async () => {
    closed.length = 0
    await run(
      attack('a', () => ({ tries: 1, hits: [] })),
      attack('b', () => Promise.reject(new Error('x')) as never),
    )
    expect(closed).toHaveLength(2)
  })
})

describe('the classes', () => {
  it('have names of their own, and say what must hold', () => {
    const names = ATTACKS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { name, promise } of ATTACKS) expect([name, promise.length > 20]).toEqual([name, true])
  })
})
