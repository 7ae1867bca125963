import { connect } from 'node:net'
import { bodyHash } from '../src/crawler/dedup/hash.ts'
import { createFetcher } from '../src/crawler/fetch/http.ts'
import { parseFeed } from '../src/crawler/parse/parse.ts'
import type { SourceId } from '../src/model/index.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { keepHeapSmall } from '../src/runtime/heap.ts'
import { cpuMsOfProcess } from './child-process.ts'
import { openLocalChecks } from './terminal-checks.ts'
import { openLink, type TerminalOrder, type TerminalReport } from './terminals-link.ts'

/** A terminal of advaRSS: `PORT FOLDER`, of its controller and of what all terminals know. */
keepHeapSmall()
const [port, folder = ''] = process.argv.slice(2)
const checks = openLocalChecks(folder)
const fetcher = createFetcher({ clock: systemClock, allowRanges: ['loopback'] })
const storing = new Map<SourceId, () => void>()

/** Nothing is known of a feed that would make the site answer in fewer words: the paper has hashes instead. */
const PLAIN_REQUEST = {
  etag: null,
  lastModified: null,
  headers: {},
  basicAuth: null,
  userAgent: null,
  proxyUrl: null,
}

const socket = connect(Number(port), '127.0.0.1', () => process.send?.({}))
socket.once('close', () => process.exit())
const link = openLink<TerminalOrder, TerminalReport>(socket, (order) => {
  if (order.kind === 'stored') storing.get(order.sourceId)?.()
  else void refresh(order)
})

async function refresh({
  sourceId,
  url,
  hasChecks,
}: Extract<TerminalOrder, { readonly kind: 'refresh' }>): Promise<void> {
  const fetched = await fetcher.fetch({ ...PLAIN_REQUEST, url })
  if (fetched.kind !== 'content') {
    link.send({ kind: 'failed', sourceId, message: fetched.kind === 'failed' ? fetched.message : fetched.kind })
    return
  }
  const { body, bytes, latencyMs, contentType, finalUrl } = fetched
  const report = { sourceId, bytes, latencyMs }
  const hash = hasChecks ? bodyHash(body) : ''
  if (hasChecks && checks.isSameDocument(sourceId, hash)) {
    await handOver({ ...report, kind: 'unchanged' })
  } else {
    const { items } = parseFeed(body, { contentType, url: finalUrl })
    const articles = hasChecks ? checks.newArticles(sourceId, items) : items
    await handOver({ ...report, kind: 'articles', items: articles, windowSize: items.length })
    if (hasChecks) checks.remember(sourceId, hash, items)
  }
  link.send({ kind: 'done', sourceId })
}

/** Resolves when it is stored. */
async function handOver(report: TerminalReport): Promise<void> {
  const { sourceId } = report
  await new Promise<void>((resolve) => {
    storing.set(sourceId, resolve)
    link.send(report)
  })
  storing.delete(sourceId)
}

process.on('message', () => process.send?.({ cpuMs: cpuMsOfProcess() }))
process.once('disconnect', () => process.exit())
