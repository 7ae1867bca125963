import type { z } from 'zod'
import { HOUR_MS, type InstantMs } from '../../model/index.ts'
import { type MeasuredPeriod, periodUntil } from '../../quality/live.ts'
import { BESIDE_POLLING } from '../beside-polling.ts'
import type { overview } from '../operations/node.ts'
import type { CallContext } from '../routes.ts'
import type { ImportanceMap } from '../services.ts'
import type { HandlerDeps } from './deps.ts'
import { visibleFeeds } from './feed-rights.ts'
import { readershipOf, sourcesReadBy } from './readership.ts'
import type { SourceRow } from './source-directory.ts'
import { suggestionsFor } from './suggestions.ts'

type Overview = z.input<typeof overview>

const MOST_TROUBLE = 20
const MOST_WANTED = 10

export async function overviewOf(over: MeasuredPeriod, call: CallContext, deps: HandlerDeps): Promise<Overview> {
  const { store, services, directory, buffer, clock } = deps
  const now = clock.now()
  const { since, until } = periodUntil(over, now)
  const [rows, counts, feeds, quality, series, budget, importance, state, polling] = await Promise.all([
    directory.rows(),
    store.counts(),
    visibleFeeds(call, deps),
    deps.quality.between('node', since, until),
    deps.quality.series('node', over),
    services.budget.show(),
    services.importance(),
    buffer?.state(),
    store.state(BESIDE_POLLING),
  ])
  const sources = mostWanted(rows, importance)
  const readership = await readershipOf(rows, new Set(feeds.map(({ id }) => id)), store, await services.shares.read())
  return {
    at: now,
    over,
    counts: { ...counts, queryFeeds: feeds.length, conditions: conditionsOf(rows) },
    quality,
    series: [...series.points],
    itemsPerHour: quality.items / hoursOf(since, Math.min(now, until), series.points),
    budget,
    besidePolling: polling,
    trouble: troubled(rows),
    wanted: sources,
    suggested: suggestionsFor(rows, sources, sourcesReadBy(call.user.id, readership), readership),
    buffer: state === undefined ? null : { entries: state.backlog, capacity: state.capacity },
    alarms: deps.health.alarms().map((alarm) => ({ ...alarm, detail: call.isAdmin ? alarm.detail : null })),
  }
}

/** A node that began in between is not measured by the time before. */
function hoursOf(
  since: InstantMs,
  until: InstantMs,
  points: readonly { readonly from: InstantMs; readonly requests: number }[],
): number {
  const firstActiveAt = points.find(({ requests }) => requests > 0)?.from ?? since
  return (until - Math.max(since, firstActiveAt)) / HOUR_MS || 1
}

function conditionsOf(rows: readonly SourceRow[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { condition } of rows) counts[condition] = (counts[condition] ?? 0) + 1
  return counts
}

const WORST: Partial<Record<SourceRow['condition'], number>> = { saturated: 0, flooding: 1, retired: 2, failing: 3 }

/** What is being lost first, then what is refused, then what is gone, then what may come back; the busiest first. */
function troubled(rows: readonly SourceRow[]): SourceRow[] {
  return rows
    .flatMap((row) => {
      const rank = WORST[row.condition]
      return rank === undefined ? [] : [{ row, rank, perHour: row.weight * (row.ratePerHour ?? 0) }]
    })
    .sort((a, b) => a.rank - b.rank || b.perHour - a.perHour || a.row.id - b.row.id)
    .slice(0, MOST_TROUBLE)
    .map(({ row }) => row)
}

function mostWanted(rows: readonly SourceRow[], importance: ImportanceMap): Overview['wanted'] {
  const { of, others } = importance
  return rows
    .flatMap((source) => {
      const known = of.get(source.id) ?? (others.subscribers > 0 ? others : null)
      if (known === null) return []
      return [{ source, importance: source.weight * known.relevance, subscribers: known.subscribers }]
    })
    .sort((a, b) => b.subscribers - a.subscribers || b.importance - a.importance || a.source.id - b.source.id)
    .slice(0, MOST_WANTED)
}
