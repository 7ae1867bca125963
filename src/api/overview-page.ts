import { DAY_MS, HOUR_MS, type InstantMs, MINUTE_MS, type QueryFeed, SECOND_MS, type Source } from '../model/index.ts'
import type { FeedAddress } from '../publisher/addresses.ts'
import { sourceTitle } from '../publisher/source-labels.ts'
import { webAddress, withoutCredentials } from '../publisher/web-address.ts'
import type { StoreCounts } from '../store/store.ts'
import { urlsOfFeed } from './feed-list.ts'
import { type Html, html, htmlPage } from './html.ts'

export interface OverviewPageData {
  readonly baseUrl: string
  readonly counts: StoreCounts
  readonly categories: readonly { readonly category: string; readonly sources: number }[]
  readonly queryFeeds: readonly QueryFeed[]
  readonly isAllOpen: boolean
  readonly sources: readonly Source[]
  readonly failing: number
  readonly page: number
  readonly pages: number
  readonly now: InstantMs
}

export function overviewPage(view: OverviewPageData): string {
  const { counts, failing } = view
  const problems = failing === 0 ? null : html` · <span class="bad">${failing} with an error</span>`
  const body = html`<h1>Headwater</h1>
<p class="soft">${number(counts.sources)} sources · ${number(counts.items)} items${problems}</p>
<nav><a href="feeds">All feeds</a> <a href="feeds.opml">Feeds as OPML</a> <a href="opml">Sources as OPML</a>
<a href="health">Health</a></nav>
<h2>Feeds</h2>
<div class="scroll"><table><tbody>
${view.isAllOpen ? feedRow(view.baseUrl, { kind: 'all' }, 'Everything', sourceCount(counts.sources)) : null}
${view.queryFeeds.map(({ name, title }) => feedRow(view.baseUrl, { kind: 'query', name }, title ?? name, 'query feed'))}
${view.categories.map(({ category, sources }) =>
  feedRow(view.baseUrl, { kind: 'category', category }, category, sourceCount(sources)),
)}
</tbody></table></div>
<h2>Sources</h2>
${view.sources.length === 0 ? html`<p>No sources yet. Add one: <code>headwater source add URL</code></p>` : sourceTable(view)}
${view.pages > 1 ? pageLinks(view) : null}`
  return htmlPage('Headwater', view.isAllOpen ? linksToEverything(view.baseUrl) : html``, body)
}

function linksToEverything(baseUrl: string): Html {
  const { rss, atom, json } = urlsOfFeed(baseUrl, { kind: 'all' })
  return html`<link rel="alternate" type="application/rss+xml" title="Everything (RSS)" href="${rss}">
<link rel="alternate" type="application/atom+xml" title="Everything (Atom)" href="${atom}">
<link rel="alternate" type="application/feed+json" title="Everything (JSON Feed)" href="${json}">`
}

function sourceCount(sources: number): string {
  return `${number(sources)} sources`
}

function feedRow(baseUrl: string, address: FeedAddress, title: string, kind: string): Html {
  return html`<tr><td>${title}</td><td class="soft short">${kind}</td>
<td class="short">${subscribe(baseUrl, address)}</td></tr>
`
}

function subscribe(baseUrl: string, address: FeedAddress): Html {
  const urls = urlsOfFeed(baseUrl, address)
  return html`<a href="${urls.rss}">RSS</a> <a href="${urls.atom}">Atom</a> <a href="${urls.json}">JSON</a>`
}

function sourceTable({ sources, baseUrl, now }: OverviewPageData): Html {
  return html`<div class="scroll"><table>
<thead><tr><th>Source</th><th>State</th><th>Last check</th><th>Next check</th><th>Subscribe</th></tr></thead>
<tbody>${sources.map((source) => sourceRow(source, baseUrl, now))}</tbody></table></div>`
}

function sourceRow(source: Source, baseUrl: string, now: InstantMs): Html {
  const { state } = source
  const error = state.lastError
  const site = webAddress(state.siteUrl, source.url) ?? webAddress(withoutCredentials(source.url))
  const title = sourceTitle({ ...source, title: source.state.title })
  return html`<tr>
<td>${site === null ? html`${title}` : html`<a href="${site}" rel="noreferrer">${title}</a>`}
${error === null ? null : html`<br><span class="bad">${error.code}</span> <span class="soft">${error.message}</span>`}</td>
<td>${source.paused ? 'paused' : state.status}</td>
<td class="short">${moment(state.lastCheckAt, now)}</td>
<td>${moment(source.paused ? null : state.nextCheckAt, now)}${reason(source)}</td>
<td class="short">${subscribe(baseUrl, { kind: 'source', sourceId: source.id })}</td></tr>
`
}

function reason({ paused, state }: Source): Html | null {
  return paused || state.nextCheckReason === null ? null : html`<br><span class="soft">${state.nextCheckReason}</span>`
}

function pageLinks({ page: current, pages }: OverviewPageData): Html {
  return html`<nav>${current > 1 ? html`<a href="?page=${current - 1}">Previous</a> ` : null}Page ${current} of ${pages}
${current < pages ? html`<a href="?page=${current + 1}">Next</a>` : null}</nav>`
}

function moment(at: InstantMs | null, now: InstantMs): Html {
  if (at === null || !Number.isFinite(at)) return html`<span class="soft">–</span>`
  const iso = new Date(at).toISOString()
  return html`<time datetime="${iso}" title="${iso}">${relative(at - now)}</time>`
}

/** "in 5 min", "3 h ago". */
function relative(differenceMs: number): string {
  const size = Math.abs(differenceMs)
  if (size < SECOND_MS) return 'now'
  const units = [
    [DAY_MS, 'd'],
    [HOUR_MS, 'h'],
    [MINUTE_MS, 'min'],
    [SECOND_MS, 's'],
  ] as const
  const [unitMs, name] = units.find(([ms]) => size >= ms) ?? units[3]
  const amount = `${Math.floor(size / unitMs)} ${name}`
  return differenceMs > 0 ? `in ${amount}` : `${amount} ago`
}

function number(value: number): string {
  return value.toLocaleString('en')
}
