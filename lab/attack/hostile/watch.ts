import type { Browser, Page } from 'playwright-core'
import { openPage, type WatchedPage } from '../../chromium.ts'

export interface GuardedPage extends WatchedPage {
  /** What ran, left, called or opened something; a line for each. */
  readonly incidents: string[]
}

/** Failures that every browser writes down by itself: pictures that do not answer, and what the content policy refuses. */
const EXPECTED =
  /Failed to load resource|Content Security Policy|blocked by.*policy|was not upgraded|Permissions policy/i

/** A page that notes everything hostile content could achieve, while it is shown. */
export async function openGuardedPage(browser: Browser, nodeUrl: string): Promise<GuardedPage> {
  const watched = await openPage(browser)
  const { page, context } = watched
  const incidents: string[] = []
  const own = new URL(nodeUrl).host
  await context.exposeFunction('pwned', () => incidents.push('a script ran'))
  context.on('page', (opened) => incidents.push(`a window was opened: ${opened.url()}`))
  page.on('download', (download) => incidents.push(`a file was loaded down: ${download.url()}`))
  page.on('framenavigated', (frame) => {
    const isOwn = frame === page.mainFrame() && new URL(frame.url()).host === own
    if (!isOwn && frame.url() !== 'about:blank') incidents.push(`went to ${frame.url()}`)
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.host === own || url.protocol === 'data:') return
    const headers = request.headers()
    // Pictures of an item are loaded on purpose, and must not say who reads.
    const isPicture = request.resourceType() === 'image' && /^https?:$/.test(url.protocol)
    if (!isPicture) incidents.push(`requested ${request.resourceType()} ${url.href.slice(0, 100)}`)
    else if (headers['referer'] || headers['cookie']) incidents.push(`said who reads ${url.href.slice(0, 100)}`)
  })
  return { ...watched, incidents }
}

/** All there is to complain about, and forgets it. */
export function takeIncidents({ incidents, complaints, page }: GuardedPage): string[] {
  const frames = page.frames().length > 1 ? [`${page.frames().length} frames`] : []
  return [...incidents.splice(0), ...complaints.splice(0).filter((line) => !EXPECTED.test(line)), ...frames]
}

// What runs in the page is given as text: the types of a browser's document must not leak into code that has none.
const INERT = `(() => {
  const found = []
  const TAGS = new Set('A ABBR B BDI BDO BLOCKQUOTE BR CAPTION CITE CODE COL COLGROUP DD DEL DETAILS DFN DIV DL DT EM FIGCAPTION FIGURE H3 H4 H5 H6 HR I IMG INS KBD LI MARK OL P PRE Q RP RT RUBY S SAMP SMALL SPAN STRONG SUB SUMMARY SUP TABLE TBODY TD TFOOT TH THEAD TIME TR U UL VAR'.split(' '))
  const ATTRIBUTES = new Set(['href', 'target', 'rel', 'src', 'alt', 'loading', 'decoding', 'referrerpolicy', 'colspan', 'rowspan'])
  const content = document.querySelector('article .content')
  const column = content?.getBoundingClientRect()
  for (const element of content?.querySelectorAll('*') ?? []) {
    const say = (what) => { if (found.length < 5) found.push(what + ': ' + element.cloneNode().outerHTML.slice(0, 160)) }
    if (!TAGS.has(element.tagName) || element.namespaceURI !== 'http://www.w3.org/1999/xhtml') say('element')
    for (const { name, value } of element.attributes) {
      if (!ATTRIBUTES.has(name)) say('attribute ' + name)
      if ((name === 'href' || name === 'src') && !/^https?:[/][/]/.test(value)) say('address')
    }
    if (element.tagName === 'A' && (element.target !== '_blank' || !/noopener/.test(element.rel))) say('link')
    const { position, transform } = getComputedStyle(element)
    if (position !== 'static' || transform !== 'none') say('moved')
  }
  if (content && content.scrollWidth > content.clientWidth + 1 && getComputedStyle(content).overflowX === 'visible')
    found.push('wider than its column: ' + content.scrollWidth + ' of ' + content.clientWidth)
  for (const element of document.querySelectorAll('main *, main')) {
    for (const { name, value } of element.attributes) {
      const isAddress = /^(href|src|action|formaction|data|srcset|poster|xlink:href)$/i.test(name)
      if (/^on|^srcdoc$|^ping$/i.test(name) || (isAddress && !/^(https?:|[/](?![/])|#|[?]|[.][.]?[/]$|[a-z]+[.](json|opml)$)/i.test(value))) found.push(name + '=' + value.slice(0, 80))
    }
  }
  if (document.querySelector('main script, main style, main iframe, main object, main embed, main base, main meta, main link')) found.push('something that loads')
  const wide = document.documentElement
  if (wide.scrollWidth > wide.clientWidth + 1) found.push('wider than the screen: ' + wide.scrollWidth)
  const brand = document.querySelector('.topbar .brand')
  if (brand && scrollY === 0) {
    const { left, top, width, height } = brand.getBoundingClientRect()
    if (!brand.contains(document.elementFromPoint(left + width / 2, top + height / 2))) found.push('the page is covered')
  }
  const root = document.getElementById('root')
  const isItself = (root === null || root.parentElement === document.body) && typeof document.cookie === 'string' &&
    document.location === location && typeof fetch === 'function' && document.forms.length === document.querySelectorAll('form').length
  if (!isItself) found.push('a name of the page was taken')
  return found
})()`

/** What in the page is alive, out of place or not of our making; a line for each. */
export function notInert(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(INERT)
}

/** Goes through all items of the list as the key j does, and looks at each; what was wrong, by item. */
export function readAll(
  page: Page,
  items: number,
): Promise<{ readonly count: number; readonly wrong: Record<string, string[]> }> {
  return page.evaluate<{ count: number; wrong: Record<string, string[]> }>(`(async () => {
    const wrong = {}
    const frame = () => new Promise((resolve) => setTimeout(resolve, 4))
    const shown = () => document.querySelector('article[data-seq]')
    let count = 0
    for (let last = null; count < ${items}; ) {
      // At the end of what is loaded the key does nothing yet.
      for (let waited = 0; (shown() === null || shown().dataset.seq === last) && waited < 1000; waited++) {
        const isAsked = new URL(location.href).searchParams.get('item') !== last
        if (!isAsked && waited % 20 === 0) document.dispatchEvent(new KeyboardEvent('keydown', { key: 'j' }))
        await frame()
      }
      if (shown() === null || shown().dataset.seq === last) break
      last = shown().dataset.seq
      count += 1
      const found = ${INERT}
      if (found.length > 0) wrong[last] = found
    }
    return { count, wrong }
  })()`)
}
