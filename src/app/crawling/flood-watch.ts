import { dayOf, SECOND_MS, type Source } from '../../model/index.ts'
import type { Alarms } from '../../runtime/alarms.ts'
import type { Clock } from '../../runtime/clock.ts'
import { repeat } from '../../runtime/repeat.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import type { Store } from '../../store/store.ts'
import { shownName } from '../sources/import-sources.ts'

const LOOK_EVERY_MS = 2 * SECOND_MS
/** More of them are not listed one by one. */
const MOST_LOOKED_AT = 100

export interface FloodWatch {
  /** Looks at once. */
  look(): Promise<void>
  readonly layer: Layer
}

/** Raises the alarm for sources of which something was refused today, until all that they show is stored. */
export function createFloodWatch({
  store,
  alarms,
  clock,
}: {
  readonly store: Pick<Store, 'refusals' | 'sourcesById'>
  readonly alarms: Alarms
  readonly clock: Clock
}): FloodWatch {
  const look = async () => {
    const refusals = (await store.refusals(dayOf(clock.now()))).slice(0, MOST_LOOKED_AT)
    const sources = await store.sourcesById(refusals.map(({ sourceId }) => sourceId))
    const flooding: { readonly source: Source; readonly refused: number }[] = []
    for (const { sourceId, refused } of refusals) {
      const source = sources.get(sourceId)
      if (source !== undefined && !source.paused && source.state.refusal !== null) flooding.push({ source, refused })
    }
    if (flooding.length === 0) return alarms.clear('SOURCE_FLOODING')
    const { source, refused } = flooding.reduce((most, one) => (one.refused > most.refused ? one : most))
    const others = flooding.length === 1 ? '' : `, and ${flooding.length - 1} more`
    alarms.raise('SOURCE_FLOODING', `source ${source.id}, ${shownName(source)}: ${refused} items today${others}`)
  }
  return {
    look,
    layer: {
      name: 'floods',
      healthyAfterMs: null,
      run: repeat({ clock, everyMs: LOOK_EVERY_MS, action: look, alsoAtEnd: false }),
    },
  }
}
