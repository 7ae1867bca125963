import { describe, expect, it } from 'vitest'
import { runAttack } from '../../lab/attack/attack.ts'
import { ATTACKS } from '../../lab/attack/classes/index.ts'
import { createAttackStage } from '../../lab/attack/stage.ts'
import { systemClock } from '../../src/runtime/clock.ts'

// Beside each other: most of them wait for real time to pass, and one after the other they take over eight minutes.
describe('a running node, attacked in short', () => {
  it.concurrent.each(ATTACKS)('keeps its promise about $name: $promise', async (attack) => {
    const result = await runAttack(attack, { effort: 'short', clock: systemClock, openStage: createAttackStage })
    expect({ error: result.error, hits: result.hits }).toEqual({ error: null, hits: [] })
    expect(result.tries + (result.skipped?.length ?? 0)).toBeGreaterThan(0)
  })
})
