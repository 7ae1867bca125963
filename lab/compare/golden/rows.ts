import { DAY_MS } from '../../../src/model/index.ts'
import { shapeSpecs, specWorld } from '../../simulator/named-worlds.ts'
import { type Arena, arenaOf } from '../arena.ts'
import { comparePolicy } from '../compare-policy.ts'
import { POLICY_IDS } from '../policies.ts'
import type { PolicyRow } from '../types.ts'

/** A small world in which every policy can be compared within seconds: thirty drawn sources over four weeks. */
export function smallArena(): Arena {
  const specs = (['peaks', 'uniform', 'waves'] as const).flatMap(shapeSpecs)
  const startMs = Date.UTC(2024, 0, 1)
  return arenaOf(specWorld(specs, { startMs, endMs: startMs + 28 * DAY_MS }, { windowSize: 20, seed: 1 }), 1)
}

/** What every policy's row says in this world. */
export function rowsOf(arena: Arena, perDay: number): Record<string, PolicyRow> {
  return Object.fromEntries(
    POLICY_IDS.map((id) => {
      const { perSource: _perSource, ...row } = comparePolicy(arena, id, perDay)
      return [id, row]
    }),
  )
}
