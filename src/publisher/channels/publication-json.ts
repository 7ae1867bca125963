import { jsonItem } from '../formats/json-feed.ts'
import type { OutgoingFeed, OutgoingItem } from './channel.ts'

/** A publication as webhooks and JSON lines carry it: an item of JSON Feed with what it belongs to. */
export function publicationJson(feed: OutgoingFeed, { publicationId, seq, publishedAt, item }: OutgoingItem) {
  return {
    type: 'item.published',
    publication_id: publicationId,
    seq,
    timestamp: new Date(publishedAt).toISOString(),
    feed: { name: feed.name, title: feed.title, url: `${feed.url}.json` },
    item: jsonItem(item),
  }
}
