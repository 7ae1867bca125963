import { entryAt } from '../../src/model/entry-at.ts'
import { escapeXml } from './formats/document.ts'
import { FORMATS } from './formats/index.ts'
import { worldItem } from './items.ts'
import type { LiveFeed } from './live-feed.ts'

function page(title: string, head: string, body: string): string {
  return `<!doctype html>\n<html><head><meta charset="utf-8"><title>${escapeXml(title)}</title>${head}</head><body>${body}</body></html>\n`
}

function alternate(feed: LiveFeed): string {
  const type = FORMATS[feed.plan.habits.format].contentType.split(';')[0]
  return `<link rel="alternate" type="${type}" title="${escapeXml(feed.plan.title)}" href="${escapeXml(new URL(feed.url).pathname)}">`
}

/** The front page of a site: what autodiscovery finds its feeds on. */
export function sitePage(feeds: readonly LiveFeed[]): string {
  const title = feeds.length === 1 ? entryAt(feeds, 0).plan.title : `${feeds.length} feeds`
  const list = feeds.map((feed) => `<li><a href="${escapeXml(feed.url)}">${escapeXml(feed.plan.title)}</a></li>`)
  return page(title, feeds.map(alternate).join(''), `<h1>${escapeXml(title)}</h1><ul>${list.join('')}</ul>`)
}

export function indexPage(feeds: Iterable<LiveFeed>, count: number): string {
  let list = ''
  for (const feed of feeds) list += `<li><a href="${escapeXml(feed.url)}">${escapeXml(feed.plan.title)}</a></li>\n`
  return page('A world of feeds', '', `<h1>${count} feeds</h1><p><a href="/opml">OPML</a></p><ol>${list}</ol>`)
}

/** The article behind a link. */
export function itemPage(feed: LiveFeed, key: string): string {
  const item = worldItem({ key, at: 0 }, null, feed.context)
  return page(item.title, alternate(feed), `<article><h1>${escapeXml(item.title)}</h1>${item.html}</article>`)
}

interface Folder {
  readonly folders: Map<string, Folder>
  readonly feeds: LiveFeed[]
}

/** All feeds, in the folders of their categories. */
export function opmlOfFeeds(feeds: Iterable<LiveFeed>): string {
  const root: Folder = { folders: new Map(), feeds: [] }
  for (const feed of feeds) {
    let folder = root
    for (const name of feed.plan.category?.split('/') ?? []) {
      let inner = folder.folders.get(name)
      if (inner === undefined) folder.folders.set(name, (inner = { folders: new Map(), feeds: [] }))
      folder = inner
    }
    folder.feeds.push(feed)
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0"><head><title>A world of feeds</title></head><body>\n${outlines(root)}</body></opml>\n`
}

function outlines(folder: Folder): string {
  let xml = ''
  for (const [name, inner] of folder.folders) {
    xml += `<outline text="${escapeXml(name)}">\n${outlines(inner)}</outline>\n`
  }
  for (const { plan, url, context } of folder.feeds) {
    xml += `<outline type="rss" text="${escapeXml(plan.title)}" xmlUrl="${escapeXml(url)}" htmlUrl="${escapeXml(context.siteUrl)}"/>\n`
  }
  return xml
}
