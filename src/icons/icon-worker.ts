import { type DueIcon, type InstantMs, type Random, SECOND_MS } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import type { IconStore } from '../store/icons.ts'
import type { SourcePart } from '../store/shards.ts'
import type { Store } from '../store/store.ts'
import { afterLook, type IconFinding } from './icon-outcome.ts'
import { type IconVisitDeps, visitIcon } from './visit-icon.ts'

export interface IconWorkerDeps extends IconVisitDeps {
  readonly store: Pick<IconStore, 'dueIcons' | 'recordIcon'> & Pick<Store, 'source'>
  /** When there is something to spend on icons. */
  readonly payableAt: (now: InstantMs) => InstantMs
  /** The shards whose sites are this worker's at this moment; undefined: all. */
  readonly part: () => SourcePart | undefined
  /** Nothing is fetched that could not be kept. */
  readonly disk: { hasSpace(): boolean }
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  readonly random: Random
}

/** How soon an icon that somebody wants is looked for. */
const LOOK_EVERY_MS = 5 * SECOND_MS

/** Looks for icons that somebody wants, one after the other, beside the refreshes and never in one. Until the signal aborts. */
export async function lookForIcons(deps: IconWorkerDeps, end: AbortSignal): Promise<void> {
  const { store, clock, disk, payableAt, part, random } = deps
  while (!end.aborted) {
    const now = clock.now()
    const isReady = payableAt(now) <= now && disk.hasSpace()
    const [due] = isReady ? await store.dueIcons(now, { limit: 1, part: part() }) : []
    if (due === undefined) {
      await clock.sleep(LOOK_EVERY_MS, end)
      continue
    }
    const finding = await look(due, deps, end)
    if (finding !== null) await store.recordIcon(afterLook(due, finding, clock.now(), random))
  }
}

async function look({ sourceId }: DueIcon, deps: IconWorkerDeps, end: AbortSignal): Promise<IconFinding | null> {
  const source = await deps.store.source(sourceId)
  // Gone meanwhile, and its icon with it.
  return source === null ? null : visitIcon(source, deps, end)
}
