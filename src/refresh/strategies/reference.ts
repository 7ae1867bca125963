import type { CycleStrategy } from '../strategy.ts'

/** Everything, every cycle (thesis 4.4.2): what quality could be with unlimited bandwidth. It knows no budget. */
export const referenceCycle: CycleStrategy<unknown, null> = {
  id: 'reference',
  begin: () => null,
  withBudget: () => null,
  select: (_state, sources) => ({ state: null, refresh: sources.map(({ facts }) => facts.id) }),
}
