import { EVIL, type Vector } from './vector.ts'

/** Everything of an item may be hostile, not its content alone: title, author, tags, links and what is attached. */
function fieldsOf({ html }: Vector, index: number) {
  return {
    id: `hostile-${index}`,
    title: html.slice(0, 300),
    link: index % 2 === 0 ? `${EVIL}/${index}` : `javascript:pwned(${index})`,
    author: `<script>pwned()</script>${html.slice(0, 60)}`,
    tag: `<img src=x onerror=pwned()>${index}`,
    attached: 'javascript:pwned()',
    published: new Date(Date.UTC(2026, 0, 1) - index * 60_000),
    // A word by which all of them are found.
    html: `${html}\n<p>herring</p>`,
  }
}

/** JSON Feed, which holds every sign there is. */
export function hostileJsonFeed(title: string, vectors: readonly Vector[]): string {
  const items = vectors.map(fieldsOf).map((item) => ({
    id: item.id,
    title: item.title,
    url: item.link,
    content_html: item.html,
    authors: [{ name: item.author, url: item.attached }],
    tags: [item.tag],
    attachments: [{ url: item.attached, mime_type: '"><script>pwned()</script>' }],
    date_published: item.published.toISOString(),
  }))
  const home = { title, home_page_url: 'javascript:pwned()', description: '<script>pwned()</script>' }
  return JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', ...home, items })
}

export function rssFeed(title: string, vectors: readonly Vector[]): string {
  const items = vectors.map(fieldsOf).map(
    (item) => `<item><guid isPermaLink="false">${item.id}</guid><title>${escapeMarkup(item.title)}</title>
<link>${escapeMarkup(item.link)}</link><author>${escapeMarkup(item.author)}</author><category>${escapeMarkup(item.tag)}</category>
<comments>${item.attached}</comments><enclosure url="${item.attached}" type="text/html" length="1"/>
<description>${escapeMarkup(item.html)}</description><pubDate>${item.published.toUTCString()}</pubDate></item>`,
  )
  return `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>${escapeMarkup(title)}</title>
<link>javascript:pwned()</link><description>x</description>${items.join('\n')}</channel></rss>`
}

export function escapeMarkup(text: string): string {
  // XML 1.0 has no other control characters.
  const allowed = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
  return allowed.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
