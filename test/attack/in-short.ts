import { describe, expect, it } from 'vitest'
import { runAttack } from '../../lab/attack/attack.ts'
import { ATTACKS } from '../../lab/attack/classes/index.ts'
import { createAttackStage } from '../../lab/attack/stage.ts'
import { systemClock } from '../../src/runtime/clock.ts'

export const PARTS = 3

/** Every third class: files run beside each other, and one after the other they take five minutes. */
export function attackInShort(part: number): void {
  describe(`a running node, attacked in short, part ${part} of ${PARTS}`, () => {
    it.each(ATTACKS.filter((_, index) => index % PARTS === part - 1))(
      'keeps its promise about $name: $promise',
      async (attack) => {
        const result = await runAttack(attack, { effort: 'short', clock: systemClock, openStage: createAttackStage })
        expect({ error: result.error, hits: result.hits }).toEqual({ error: null, hits: [] })
        expect(result.tries + (result.skipped?.length ?? 0)).toBeGreaterThan(0)
      },
    )
  })
}
