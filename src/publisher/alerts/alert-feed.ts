import { BLANK_ITEM, type InstantMs } from '../../model/index.ts'
import type { OutgoingFeed, OutgoingItem } from '../channels/channel.ts'
import { presentItem } from '../present.ts'
import type { PublishedFeed, PublishedItem } from '../published-feed.ts'
import type { KnownAlert } from './alert-state.ts'
import { ALERT_WORDS } from './alert-words.ts'

/** No query feed can be called so: names begin with a letter. */
const ALERT_FEED = '_alerts'
const TITLE = 'Alerts of Headwater'

/** Newest first; what was not worth a word yet is not in it. */
export function alertFeed(alerts: readonly KnownAlert[], baseUrl: string): PublishedFeed {
  const entries = alerts.filter(({ toldAt }) => toldAt !== null).toReversed()
  return {
    title: TITLE,
    description: 'What needs a person, once for each trouble',
    url: alertFeedUrl(baseUrl),
    siteUrl: `${baseUrl}/`,
    categories: [],
    items: entries.map((alert) => itemOf(alert, baseUrl)),
    updatedAt: entries[0] === undefined ? 0 : toldMoment(entries[0]),
  }
}

function alertFeedUrl(baseUrl: string): string {
  return `${baseUrl}/feeds/${ALERT_FEED}`
}

/** As channels carry it. */
export function outgoingAlert(alert: KnownAlert, baseUrl: string): OutgoingItem {
  const { id, since } = alert
  return {
    publicationId: `alert-${since.toString(36)}-${id}`,
    seq: id,
    publishedAt: toldMoment(alert),
    itemSeq: id,
    item: presentItem(itemOf(alert, baseUrl), null),
  }
}

/** What they belong to there. */
export function outgoingAlertFeed(baseUrl: string): OutgoingFeed {
  return { name: ALERT_FEED, title: TITLE, url: alertFeedUrl(baseUrl) }
}

function toldMoment({ toldAt, since }: KnownAlert): InstantMs {
  return toldAt ?? since
}

function itemOf(alert: KnownAlert, baseUrl: string): PublishedItem {
  const { id, kind, sourceId, name, since } = alert
  const { title, hint } = ALERT_WORDS[kind]
  const at = toldMoment(alert)
  const link = sourceId === null ? `${baseUrl}/` : `${baseUrl}/sources/${sourceId}`
  const text = {
    ...BLANK_ITEM,
    id: `urn:headwater:alert:${since}:${id}`,
    title: title(name ?? ''),
    link,
    summary: hint,
  }
  return {
    item: {
      ...text,
      published: at,
      seq: id,
      sourceId: sourceId ?? 0,
      key: text.id,
      contentHash: '',
      firstSeenAt: at,
      changedAt: at,
      sortAt: at,
    },
    source: {
      id: 0,
      addedAt: 0,
      title: TITLE,
      url: alertFeedUrl(baseUrl),
      siteUrl: baseUrl,
      categories: [],
      weight: 1,
    },
  }
}
