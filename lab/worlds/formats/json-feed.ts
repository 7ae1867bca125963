import { type FeedDocument, isoDate, summaryOf } from './document.ts'

/** JSON Feed 1.1. */
export function jsonFeed(document: FeedDocument): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: document.title,
    home_page_url: document.siteUrl,
    feed_url: document.feedUrl,
    next_url: document.nextUrl ?? undefined,
    language: document.habits.language,
    items: document.items.map((item) => ({
      id: item.id ?? undefined,
      url: item.link,
      title: item.title,
      summary: summaryOf(item.html),
      content_html: item.html,
      image: item.image ?? undefined,
      date_published: item.statedAt === null ? undefined : isoDate(item.statedAt),
      date_modified: item.statedEditAt === null ? undefined : isoDate(item.statedEditAt),
      authors: item.author === null ? undefined : [{ name: item.author }],
      tags: item.categories.length > 0 ? item.categories : undefined,
      attachments:
        item.enclosure === null
          ? undefined
          : [
              {
                url: item.enclosure.url,
                mime_type: item.enclosure.type,
                size_in_bytes: item.enclosure.lengthBytes,
              },
            ],
    })),
  })
}
