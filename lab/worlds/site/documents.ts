import type { InstantMs } from '../../../src/model/index.ts'

export interface SiteItem {
  readonly section: string
  readonly id: string
  readonly at: InstantMs
}

export function linkOf({ section, id }: SiteItem): string {
  return `https://www.reddit.com/r/${section}/comments/${id}/`
}

/** The feed of a section has all of an item, under a guid of its own; others have a line of it. */
export function siteFeedOf(items: readonly SiteItem[], view: 'own' | 'common' | 'composed'): string {
  const entry = (item: SiteItem) => {
    const { id, at } = item
    const guid = view === 'common' ? `tag:common,${id}` : `t3_${id}`
    const text = view === 'own' ? `All of item ${id}, and what followed from it.` : `Item ${id}.`
    return `<entry><id>${guid}</id><title>Item ${id}</title><link href="${linkOf(item)}"/><updated>${iso(at)}</updated><published>${iso(at)}</published><summary>${text}</summary></entry>`
  }
  return `<feed xmlns="http://www.w3.org/2005/Atom"><title>${view}</title><id>urn:${view}</id>${items.map(entry).join('')}</feed>`
}

export function sitemapOf(items: readonly SiteItem[]): string {
  const entry = (item: SiteItem) => `<url><loc>${linkOf(item)}</loc><lastmod>${iso(item.at)}</lastmod></url>`
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${items.map(entry).join('')}</urlset>`
}

function iso(at: InstantMs): string {
  return new Date(at).toISOString()
}
