import type { Socket } from 'node:net'
import { entryAt } from '../../../src/model/entry-at.ts'
import type { AttackClass } from '../attack.ts'
import { escapeForXml, opmlOfUrls } from '../documents.ts'
import { inParallel, sampleEvenly } from '../in-parallel.ts'
import { foreignHosts, loopbackHosts } from '../literals.ts'
import type { AttackUser } from '../people.ts'
import { REBINDING_RESOLVER } from '../preloads.ts'
import type { HostileServer } from '../servers.ts'
import type { AttackedNode, AttackStage } from '../stage.ts'

/** The one address that the node may connect to: it stands for the public internet. All others of the machine are traps. */
const PUBLIC = '127.0.0.9'
const PUBLIC_HEX = '7f000009'
const FLAGS = ['--allow-range', `${PUBLIC}/32`, '--host-spacing', '0s', '--budget', '60000/min', '--timeout', '20s']
/** What a node says that has not tried to connect. Names of our resolver lead nowhere else. */
const NOT_TRIED =
  /^(FETCH_ADDRESS_REFUSED|FETCH_BAD_URL|FETCH_DNS|FETCH_BAD_REDIRECT|REQUEST_INVALID|USAGE|SOURCE_NO_FEED_FOUND|QUERY_INVALID|RIGHT_MISSING|OPML_INVALID)$/

interface Arena {
  readonly node: AttackedNode
  readonly member: AttackUser
  readonly trap: HostileServer
  readonly site: HostileServer
  /** Addresses of this machine at which somebody arrived who must not. */
  readonly reached: string[]
}

export const ssrf: AttackClass = {
  name: 'ssrf',
  promise: 'No address, redirect, name or link makes the node connect to a machine that is not public',
  async run(stage, effort) {
    const arena = await openArena(stage)
    const thin = <T>(values: readonly T[], most: number) => (effort === 'full' ? values : sampleEvenly(values, most))
    const near = thin(loopbackHosts(), 40).map((host) => `http://${host}:${arena.trap.port}/`)
    const far = thin(foreignHosts(), 20).map((host) => `http://${host}/`)
    const hits: string[] = []
    const tries =
      (await discover(arena, [...near, ...far], hits)) +
      (await redirects(arena, thin([...near, ...far], 12), hits)) +
      (await crawl(
        arena,
        stage,
        thin([...near, ...far, ...rebinding(arena.trap.port, effort === 'full' ? 100 : 6)], 60),
        hits,
      )) +
      (await webhooks(arena, thin([...near, ...rebinding(arena.trap.port, 4)], 20)))
    for (const address of arena.reached) hits.push(`${address} was reached`)
    return { tries, hits, figures: { connectionsToPublicStandIn: arena.site.connections } }
  },
}

async function openArena(stage: AttackStage): Promise<Arena> {
  const reached: string[] = []
  const answer = (socket: Socket) => {
    const address = (socket.localAddress ?? '').replace(/^::ffff:/, '')
    if (address !== PUBLIC) reached.push(address)
    socket.once('data', () =>
      socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/xml\r\nconnection: close\r\n\r\n${FEED}`),
    )
  }
  // IPv6 is not there on every machine; IPv4 is.
  const trap = await stage.startSocketServer(answer, '::').catch(() => stage.startSocketServer(answer, '0.0.0.0'))
  const site = await stage.startServer((request, response) => {
    const to = new URL(request.url ?? '/', 'http://x').searchParams.get('to') ?? ''
    const path = entryAt((request.url ?? '').split('?', 1), 0)
    const status = Number(/^\/(3\d\d)$/.exec(path)?.[1] ?? 200)
    if (status !== 200) response.writeHead(status, { location: Buffer.from(to).toString('latin1') }).end()
    else if (path === '/refresh')
      response.writeHead(200, { refresh: `0;url=${encodeURI(to)}`, 'content-type': 'text/html' }).end('x')
    else if (path === '/page') response.writeHead(200, { 'content-type': 'text/html' }).end(page(to))
    else if (path === '/linked') response.writeHead(200, { 'content-type': 'application/xml' }).end(feedWithLinks(to))
    else response.writeHead(404).end()
  }, PUBLIC)
  const node = await stage.startNode({ flags: FLAGS, nodeArgs: REBINDING_RESOLVER })
  return { node, member: await node.member('finder'), trap, site, reached }
}

const FEED =
  '<rss version="2.0"><channel><title>inside</title><item><guid>1</guid><title>secret</title></item></channel></rss>'

function page(to: string): string {
  const types = ['application/rss+xml', 'application/atom+xml', 'application/feed+json']
  const links = types.map((type) => `<link rel="alternate" type="${type}" href="${escapeForXml(to)}">`)
  return `<html><head><base href="${escapeForXml(to)}">${links.join('')}<meta http-equiv="refresh" content="0;url=${escapeForXml(to)}"></head><body><a href="${escapeForXml(to)}/feed.xml">feed</a></body></html>`
}

/** Everything in a feed that an aggregator might follow by itself; new ids each time, so that older pages are looked for. */
let documents = 0
function feedWithLinks(to: string): string {
  const link = escapeForXml(to)
  const rels = ['next', 'prev-archive', 'prev', 'self', 'hub', 'first', 'current'].map(
    (rel) => `<atom:link rel="${rel}" href="${link}"/>`,
  )
  const items = Array.from(
    { length: 5 },
    (_, i) =>
      `<item><guid isPermaLink="false">${documents}-${i}</guid><link>${link}</link><enclosure url="${link}" type="image/png" length="1"/></item>`,
  )
  documents++
  return `<?xml-stylesheet href="${link}"?><!DOCTYPE rss [<!ENTITY x SYSTEM "${link}">]><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>&x;</title><link>${link}</link><image><url>${link}</url></image><cloud domain="127.0.0.1"/>${rels.join('')}${items.join('')}</channel></rss>`
}

/** First the allowed address, then one that is not; both at once; and the other way round. */
function rebinding(port: number, most: number): readonly string[] {
  const inside = [
    '7f000001',
    '00000000',
    '7f010203',
    'a9fea9fe',
    '00000000000000000000000000000001',
    '00000000000000000000ffff7f000001',
    '0a000001',
  ]
  const names = Array.from({ length: most }, (_, i) => {
    const other = entryAt(inside, i % inside.length)
    const forms = [
      `${PUBLIC_HEX}-${other}`,
      `${PUBLIC_HEX}-${PUBLIC_HEX}-${other}`,
      `all-${PUBLIC_HEX}-${other}`,
      `all-${other}-${PUBLIC_HEX}`,
      other,
      `${other}-${PUBLIC_HEX}`,
    ]
    return `${forms[Math.floor(i / inside.length) % forms.length]}.n${i}.rebind.test`
  })
  return names.map((name) => `http://${name}:${port}/`)
}

/** A person's question, answered at once: the code shows which host was requested. */
async function discover({ member }: Arena, urls: readonly string[], hits: string[]): Promise<number> {
  await inParallel(8, urls, async (url) => {
    const { status, body } = await member.ask('POST', '/api/sources/discover', { body: { url } })
    if (status === 200 && body.feeds.length > 0) hits.push(`${url} was previewed`)
    else if (status !== 200 && !NOT_TRIED.test(body?.code)) hits.push(`${url} was requested: ${body?.code ?? status}`)
  })
  return urls.length
}

async function redirects(arena: Arena, urls: readonly string[], hits: string[]): Promise<number> {
  const kinds = ['/301', '/302', '/303', '/307', '/308', '/page', '/refresh']
  const redirectUrls = urls.flatMap((to) => kinds.map((kind) => `${arena.site.url(kind)}?to=${encodeURIComponent(to)}`))
  return discover(arena, redirectUrls, hits)
}

/** As sources: by OPML, refreshed several times, so that names can change what they mean. */
async function crawl(
  { node, site }: Arena,
  stage: AttackStage,
  urls: readonly string[],
  hits: string[],
): Promise<number> {
  const linking = urls.map((to) => `${site.url('/linked')}?to=${encodeURIComponent(to)}`)
  await node.owner.must('POST', '/api/opml', undefined, {
    body: opmlOfUrls([...urls, ...linking]),
    headers: { 'content-type': 'text/x-opml' },
  })
  const list = async () =>
    (await node.owner.must('GET', '/api/sources?limit=1000')).sources as {
      id: number
      url: string
      lastCheckAt: number | null
      errorCode: string | null
    }[]
  const isChecked = async () => {
    const all = await list()
    return all.length > 0 && all.every(({ lastCheckAt }) => lastCheckAt !== null)
  }
  for (let round = 0; round < 3; round++) {
    if (!(await stage.eventually(isChecked))) throw new Error('not all sources were refreshed')
    for (const { id } of await list()) await node.owner.ask('POST', `/api/sources/${id}/refresh`)
    await stage.sleep(1_000)
  }
  for (const { url, errorCode } of await list()) {
    const isStandIn = url.startsWith(site.url('')) || /rebind\.test/.test(url)
    if (!isStandIn && !NOT_TRIED.test(errorCode ?? 'none'))
      hits.push(`${url} was requested as a source: ${errorCode ?? 'and answered'}`)
  }
  return urls.length + linking.length
}

/** What is published goes to addresses of members' choice. */
async function webhooks({ node, site }: Arena, urls: readonly string[]): Promise<number> {
  await node.owner.must('POST', '/api/queries', { text: 'CREATE FEED out AS RETURN ALL;' })
  const moved = urls.map((to) => `${site.url('/307')}?to=${encodeURIComponent(to)}`)
  for (const url of [...urls, ...moved])
    await node.owner.ask('POST', '/api/subscriptions', { body: { feed: 'out', output: { kind: 'webhook', url } } })
  const before = site.requests.length
  await node.owner.must('POST', '/api/sources', { url: site.url('/linked?to=x'), discover: false })
  // Deliveries that are allowed arrive, so those that are not would have been tried too.
  for (let waited = 0; waited < 100 && !site.requests.slice(before).some((path) => path.startsWith('/307')); waited++)
    await new Promise((resolve) => setTimeout(resolve, 100))
  return urls.length + moved.length
}
