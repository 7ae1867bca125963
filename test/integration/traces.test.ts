import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { onNode } from '../settings/one-node.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'
import { addSource } from '../support/publishing.ts'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
  readonly status: { readonly code?: number }
}

const servers: LocalServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function startCollector(status = () => 200) {
  const bodies: string[] = []
  const server = await startServer(async (request, response) => {
    const body = await text(request)
    if (status() === 200) bodies.push(body)
    response.writeHead(status(), { 'content-type': 'application/json' }).end('{}')
  })
  servers.push(server)
  const spans = (): Span[] =>
    bodies.flatMap((body) =>
      JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
        scopeSpans.flatMap((scope) => scope.spans),
      ),
    )
  return { server, bodies, spans }
}

const fieldsOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

describe('traces of refreshes', () => {
  it('show each step of one, in order and within it, and no address of a source', async () => {
    const { server, bodies, spans } = await startCollector()
    const traceUrl = server.url('/v1/traces').replace('//', '//me:pass%20word@')
    await onNode({ traceUrl }, async ({ node, siteUrl }) => {
      const { id } = await addSource(node.data.store, `${siteUrl}?token=hush`)
      await addSource(node.data.store, 'http://127.0.0.1:1/refused')
      const roots = () => spans().filter(({ name }) => name === 'refresh')
      expect(await eventually(async () => roots().length >= 2)).toBe(true)
      const root = roots().find((span) => fieldsOf(span)['headwater.source.id'] === String(id)) as Span
      expect(fieldsOf(root)).toMatchObject({
        'server.address': new URL(siteUrl).host,
        'headwater.outcome': 'content',
        'headwater.items.added': '20',
      })
      const own = spans().filter(({ traceId, parentSpanId }) => traceId === root.traceId && parentSpanId !== undefined)
      expect(own.map(({ name }) => name)).toEqual(['fetch', 'parse', 'dedup', 'plan', 'store'])
      for (const span of own) {
        expect(span.parentSpanId).toBe(root.spanId)
        expect(span.spanId).toMatch(/^[0-9a-f]{16}$/)
        // The wall clock says when a span began and the steady one how long it took: a millisecond lies between them.
        const slackNs = 2_000_000n
        expect(BigInt(span.startTimeUnixNano) >= BigInt(root.startTimeUnixNano)).toBe(true)
        expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true)
        expect(BigInt(span.endTimeUnixNano) <= BigInt(root.endTimeUnixNano) + slackNs).toBe(true)
      }
      expect(root.traceId).toMatch(/^[0-9a-f]{32}$/)
      const failed = roots().find((span) => span !== root && span.status.code === 2) as Span
      expect(fieldsOf(failed)['error.type']).toMatch(/^FETCH_/)
    })
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from('me:pass word').toString('base64')}`)
    expect(bodies.join()).not.toContain('hush')
  })

  it('wait for a collector that is away, while everything is refreshed and stored', async () => {
    let status = 503
    const { server, spans } = await startCollector(() => status)
    await onNode({ traceUrl: server.url('/v1/traces') }, async ({ node, siteUrl }) => {
      const { store } = node.data
      await addSource(store, siteUrl)
      expect(await eventually(async () => server.requests.length > 0)).toBe(true)
      expect((await store.counts()).items).toBe(20)
      status = 200
      expect(await eventually(async () => spans().some(({ name }) => name === 'store'))).toBe(true)
    })
  })

  it('hold no node that stops, however long a collector is silent', async () => {
    const server = await startServer(() => {})
    servers.push(server)
    await onNode({ traceUrl: server.url('/v1/traces') }, async ({ node, siteUrl }) => {
      await addSource(node.data.store, siteUrl)
      expect(await eventually(async () => server.requests.length > 0)).toBe(true)
    })
    expect(server.requests.length).toBeGreaterThan(0)
  })
})
