import type { AlertKind } from '../model/alert-kinds.ts'
import { DAY_MS, type DurationMs, HOUR_MS, type InstantMs, type SourceId } from '../model/index.ts'

/** Something wrong, as seen at one moment. */
export interface Trouble {
  readonly kind: AlertKind
  /** null: of the whole node. */
  readonly sourceId: SourceId | null
  /** Of the source; null: of the whole node. */
  readonly name: string | null
  /** One that is over sooner is not worth a word. */
  readonly lastingMs: DurationMs
}

/** A trouble from its first sight to its end. */
interface Alert extends Trouble {
  /** Grows; never given twice. */
  readonly id: number
  readonly since: InstantMs
  readonly lastSeenAt: InstantMs
  /** null: not yet worth a word. */
  readonly toldAt: InstantMs | null
  /** null: it goes on. */
  readonly endedAt: InstantMs | null
}

/** What is known of a source that is to be fetched. */
export interface WatchedSource {
  readonly id: SourceId
  readonly name: string
  readonly condition: 'fine' | 'failing' | 'gone' | 'flooding' | 'saturated'
  readonly lastCheckAt: InstantMs | null
  readonly nextCheckAt: InstantMs | null
}

interface WatchedNode {
  readonly now: InstantMs
  readonly sources: readonly WatchedSource[]
  /** What the wished quality needs and what may be spent; null: nothing is wished, or not known yet. */
  readonly wish: { readonly neededPerDay: number; readonly requestsPerDay: number } | null
}

/** A site that is down over a weekend comes back. */
const FAILING_MS = 3 * DAY_MS
/** A full window is looked at sooner the next time, which often is enough. */
const OVERFLOWING_MS = 6 * HOUR_MS
const SHORT_OF_BUDGET_MS = DAY_MS
/** Nothing was fetched for so long although something was due for as long. */
const STILL_MS = HOUR_MS
/** What is found is rounded and moves a little. */
const TOO_SMALL = 1.05

/** All that is wrong now. */
export function troublesOf(node: WatchedNode): readonly Trouble[] {
  const ofSources = node.sources.flatMap(({ condition, id, name }) => {
    const found = TROUBLES[condition]
    return found === null ? [] : [{ ...found, sourceId: id, name }]
  })
  const { wish } = node
  const isShort = wish !== null && wish.neededPerDay > TOO_SMALL * wish.requestsPerDay
  return [
    ...(standsStill(node) ? [{ kind: 'still' as const, ...WHOLE_NODE, lastingMs: 0 }] : []),
    ...(isShort ? [{ kind: 'budget' as const, ...WHOLE_NODE, lastingMs: SHORT_OF_BUDGET_MS }] : []),
    ...ofSources,
  ]
}

const WHOLE_NODE = { sourceId: null, name: null }

const TROUBLES: Readonly<Record<WatchedSource['condition'], Pick<Trouble, 'kind' | 'lastingMs'> | null>> = {
  fine: null,
  gone: { kind: 'died', lastingMs: 0 },
  failing: { kind: 'died', lastingMs: FAILING_MS },
  flooding: { kind: 'floods', lastingMs: 0 },
  saturated: { kind: 'overflows', lastingMs: OVERFLOWING_MS },
}

function standsStill({ sources, now }: WatchedNode): boolean {
  const looks = sources.flatMap(({ lastCheckAt }) => (lastCheckAt === null ? [] : [lastCheckAt]))
  const overdue = sources.some(({ nextCheckAt }) => nextCheckAt !== null && nextCheckAt < now - STILL_MS)
  return overdue && looks.length > 0 && looks.every((at) => at < now - STILL_MS)
}

/** One that comes back sooner is the same trouble. */
const CALM_MS = DAY_MS
/** Alerts that are over are remembered for so many more. */
const MOST_REMEMBERED = 200

/** Alerts after another look; newest last. Each is told once, whatever happens between its beginning and its end. */
export function followTroubles(
  alerts: readonly Alert[],
  troubles: readonly Trouble[],
  now: InstantMs,
): readonly Alert[] {
  const wrong = new Map(troubles.map((trouble) => [keyOf(trouble), trouble]))
  const open = new Set(alerts.filter(({ endedAt }) => endedAt === null).map(keyOf))
  let id = alerts.reduce((most, alert) => Math.max(most, alert.id), 0)
  const followed = alerts.map((alert) =>
    alert.endedAt === null ? afterLook(alert, wrong.get(keyOf(alert)) ?? null, now) : alert,
  )
  const begun = troubles
    .filter((trouble) => !open.has(keyOf(trouble)))
    .map((trouble) => afterLook(begin(trouble, ++id, now), trouble, now))
  // What was over before it was worth a word need not be remembered.
  const worth = [...followed, ...begun].filter(({ toldAt, endedAt }) => toldAt !== null || endedAt === null)
  return worth.filter(({ endedAt }, index) => endedAt === null || index >= worth.length - MOST_REMEMBERED)
}

function keyOf({ kind, sourceId }: Pick<Trouble, 'kind' | 'sourceId'>): string {
  return `${kind} ${sourceId}`
}

function begin(trouble: Trouble, id: number, now: InstantMs): Alert {
  return { ...trouble, id, since: now, lastSeenAt: now, toldAt: null, endedAt: null }
}

function afterLook(alert: Alert, trouble: Trouble | null, now: InstantMs): Alert {
  if (trouble === null) return now - alert.lastSeenAt >= CALM_MS ? { ...alert, endedAt: now } : alert
  const isDue = alert.toldAt === null && now - alert.since >= trouble.lastingMs
  return { ...alert, ...trouble, lastSeenAt: now, toldAt: isDue ? now : alert.toldAt }
}
