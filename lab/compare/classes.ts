import { DAY_MS } from '../../src/model/index.ts'
import { activityClass, discoverShape, hoursOfDay } from '../analysis/index.ts'
import type { SimWorld } from '../simulator/world.ts'

/** Sources that are alike in one respect, by their places in the world. */
export interface SourceClass {
  readonly by: 'activity' | 'shape'
  readonly class: string
  readonly members: readonly number[]
}

/** Activity classes of thesis 6.2 and shapes of the day of 6.4, over the whole trace. */
export function sourceClasses(world: SimWorld): SourceClass[] {
  const days = { from: world.startMs, to: world.startMs + Math.floor((world.endMs - world.startMs) / DAY_MS) * DAY_MS }
  const dayCount = (days.to - days.from) / DAY_MS
  const classes = new Map<string, { by: SourceClass['by']; class: string; members: number[] }>()
  const put = (by: SourceClass['by'], name: string, member: number) => {
    const key = `${by} ${name}`
    const found = classes.get(key)
    if (found === undefined) classes.set(key, { by, class: name, members: [member] })
    else found.members.push(member)
  }
  for (const [index, { times }] of world.sources.entries()) {
    put('activity', activityClass(times.length / dayCount), index)
    put('shape', discoverShape(hoursOfDay(times, days).map(({ mean }) => mean)) ?? 'silent', index)
  }
  return [...classes.values()].sort((a, b) => (a.by + a.class < b.by + b.class ? -1 : 1))
}
