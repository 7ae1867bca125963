import { DAY_MS, type InstantMs, losesOften } from '../../model/index.ts'
import { outgoingAlert, outgoingAlertFeed } from '../../publisher/alerts/alert-feed.ts'
import { ALERTS, type KnownAlert } from '../../publisher/alerts/alert-state.ts'
import type { Channels } from '../../publisher/channels/send.ts'
import { followTroubles, troublesOf, type WatchedSource } from '../../quality/alerts.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { SourceSummary } from '../../store/source-summaries.ts'
import type { Store } from '../../store/store.ts'
import { LEAST_BUDGET } from '../crawling/least-budget.ts'
import type { Config } from '../settings/config.ts'

export interface AlertDeps {
  readonly store: Pick<Store, 'sourceSummaries' | 'state' | 'saveState'>
  readonly channels: Pick<Channels, 'mail' | 'webhook'>
  /** Where alerts are sent; absent: nowhere. */
  readonly config: Pick<Config, 'alertMail' | 'alertWebhook' | 'alertSecret' | 'quality'>
  readonly baseUrl: string
  readonly clock: Clock
  readonly logger: Logger
}

const BATCH = 1_000
/** News of a trouble that nobody could be told of for so long is none. */
const GIVE_UP_MS = 3 * DAY_MS

type Way = KnownAlert['unsent'][number]

/** Looks once what is wrong, and tells of each trouble once. What was noticed and sent is in the store: a restart repeats nothing. */
export async function lookForTroubles(deps: AlertDeps, signal: AbortSignal): Promise<void> {
  const { store, clock } = deps
  const now = clock.now()
  const before = await store.state(ALERTS)
  const troubles = troublesOf({ now, sources: await conditions(store, now), wish: await wishOf(deps) })
  const unsent = new Map(before.map(({ id, unsent: ways }) => [id, ways]))
  const wasTold = new Set(before.filter(({ toldAt }) => toldAt !== null).map(({ id }) => id))
  const alerts = followTroubles(before, troubles, now).map((alert): KnownAlert => {
    const isNews = alert.toldAt !== null && !wasTold.has(alert.id)
    return { ...alert, unsent: isNews ? waysOf(deps) : (unsent.get(alert.id) ?? []) }
  })
  // Before anything is sent: a kill in between repeats a message under its old name, and never begins a trouble anew.
  if (JSON.stringify(alerts) !== JSON.stringify(before)) await store.saveState(ALERTS, alerts)
  await sendAll(alerts, deps, signal)
}

function waysOf({ config: { alertMail, alertWebhook } }: AlertDeps): Way[] {
  return [
    ...(alertMail === undefined ? [] : ['mail' as const]),
    ...(alertWebhook === undefined ? [] : ['webhook' as const]),
  ]
}

async function sendAll(alerts: readonly KnownAlert[], deps: AlertDeps, signal: AbortSignal): Promise<void> {
  let current = alerts
  for (const alert of alerts) {
    for (const way of alert.unsent) {
      if (signal.aborted) return
      if (!(await isSettled(alert, way, deps, signal))) continue
      current = current.map((one) =>
        one.id === alert.id ? { ...one, unsent: one.unsent.filter((other) => other !== way) } : one,
      )
      await deps.store.saveState(ALERTS, current)
    }
  }
}

/** Sent, or not worth another try. */
async function isSettled(alert: KnownAlert, way: Way, deps: AlertDeps, signal: AbortSignal): Promise<boolean> {
  const { channels, config, baseUrl, clock, logger } = deps
  const target = way === 'mail' ? config.alertMail : config.alertWebhook
  if (target === undefined || clock.now() - (alert.toldAt ?? 0) > GIVE_UP_MS) return true
  const outcome = await channels[way].deliver(
    {
      feed: outgoingAlertFeed(baseUrl),
      target,
      secret: config.alertSecret ?? '',
      everyMs: null,
      items: [outgoingAlert(alert, baseUrl)],
    },
    signal,
  )
  if (outcome.kind === 'delivered') return true
  logger.warn({ code: outcome.problem.code, way }, 'an alert could not be sent')
  return outcome.kind === 'dead'
}

async function wishOf({ store, config }: AlertDeps) {
  return config.quality === undefined ? null : store.state(LEAST_BUDGET)
}

async function conditions(store: Pick<Store, 'sourceSummaries'>, now: InstantMs): Promise<readonly WatchedSource[]> {
  const found: WatchedSource[] = []
  for (let afterId = 0; ; ) {
    const summaries = await store.sourceSummaries({ afterId, limit: BATCH })
    for (const summary of summaries) {
      afterId = summary.id
      if (!summary.paused) found.push(conditionOf(summary, now))
    }
    if (summaries.length < BATCH) return found
  }
}

function conditionOf(summary: SourceSummary, now: InstantMs): WatchedSource {
  const { id, lastCheckAt, nextCheckAt } = summary
  const name = summary.name || summary.title || new URL(summary.url).host
  return { id, name, condition: nameOf(summary, now), lastCheckAt, nextCheckAt }
}

function nameOf(
  { status, isRefused, isSaturated, lastLosses }: SourceSummary,
  now: InstantMs,
): WatchedSource['condition'] {
  if (status === 'retired') return 'gone'
  if (status === 'failing') return 'failing'
  if (isRefused) return 'flooding'
  return isSaturated || losesOften(lastLosses, now) ? 'saturated' : 'fine'
}
