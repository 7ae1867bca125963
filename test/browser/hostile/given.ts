import type { Page } from 'playwright-core'
import { escapeMarkup } from '../../../lab/attack/hostile/feeds.ts'
import { OLD_HANDLERS } from '../../../lab/attack/hostile/handlers.ts'

/** Lists that others wrote, a feed in each file: the node takes them all. */
export function opmlOf(entries: readonly { readonly url: string; readonly category: string }[]): string {
  const outlines = entries.map(
    ({ url, category }) => `<outline type="rss" xmlUrl="${escapeMarkup(url)}" category="/${escapeMarkup(category)}"/>`,
  )
  return `<?xml version="1.0"?><opml version="2.0"><head><title>x</title></head><body>${outlines.join('\n')}</body></opml>`
}

/** What this very browser takes for a handler: it is asked, so that none is forgotten. */
export async function handlersOf(page: Page): Promise<readonly string[]> {
  const own = await page.evaluate<string[]>(`(() => {
    const names = new Set()
    const made = ['div', 'body', 'video', 'input', 'form', 'marquee'].map((tag) => document.createElement(tag))
    const drawn = ['svg', 'animate', 'script'].map((tag) => document.createElementNS('http://www.w3.org/2000/svg', tag))
    for (const object of [window, document, ...made, ...drawn]) {
      for (const name in object) if (/^on[a-z]/.test(name)) names.add(name)
    }
    return [...names].sort()
  })()`)
  return [...new Set([...own, ...OLD_HANDLERS])]
}
