import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { onNode } from '../settings/one-node.ts'
import { startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'
import { rss } from './hub-stage.ts'

/** A hub of one subscriber for each topic: takes requests, verifies, and at `POST /tell` sends something signed to all. */
const HUB = `
  import { createServer } from 'node:http'
  import { createHmac, randomUUID } from 'node:crypto'
  const known = new Map()
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += chunk))
    request.on('end', async () => {
      if (request.url === '/tell') {
        const body = randomUUID()
        for (const { callback, secret } of known.values()) {
          const signature = 'sha256=' + createHmac('sha256', secret).update(body).digest('hex')
          await fetch(callback, { method: 'POST', body, headers: { 'x-hub-signature': signature } }).catch(() => {})
        }
        return response.end(String(known.size))
      }
      response.writeHead(202).end()
      const form = new URLSearchParams(text)
      const callback = form.get('hub.callback')
      const topic = form.get('hub.topic')
      const query = { 'hub.mode': 'subscribe', 'hub.topic': topic, 'hub.challenge': 'c', 'hub.lease_seconds': '86400' }
      const answer = await fetch(callback + '?' + new URLSearchParams(query)).catch(() => null)
      if (answer?.ok && (await answer.text()) === 'c') known.set(topic, { callback, secret: form.get('hub.secret') })
    })
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`

async function startHub() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HUB], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [first] = (await once(child.stdout, 'data')) as [Buffer]
  const url = `http://127.0.0.1:${Number(String(first))}`
  return {
    url,
    tell: async () => Number(await (await fetch(`${url}/tell`, { method: 'POST' })).text()),
    async kill() {
      if (child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

const TOLD = 6
const UNTOLD = 4
/** A believed hub lets its source wait for so many polls of one without hub; see decision 0120. */
const MOST_POLLS = 9

it('a hub is killed: its source goes on within the polling plan of one without hub, and nothing is lost', async () => {
  const hub = await startHub()
  const guids = { pushed: ['first'], plain: ['first'] }
  const polls = { pushed: 0, plain: 0 }
  const site = await startServer(({ url }, response) => {
    const name = url === '/pushed' ? 'pushed' : 'plain'
    polls[name]++
    const links = `<atom:link rel="hub" href="${hub.url}/"/><atom:link rel="self" href="${site.url('/pushed')}"/>`
    response.end(rss(name === 'pushed' ? links : '', guids[name]))
  })
  try {
    await onNode({ budget: '4/s', minInterval: '1s' }, async ({ node: { data } }) => {
      const sources = (['pushed', 'plain'] as const).map((name) => withSourceDefaults({ url: site.url(`/${name}`) }))
      const [pushed] = await data.store.addSources(sources, systemClock.now())
      const all = async () => (await data.store.counts()).items === guids.pushed.length + guids.plain.length
      const publish = (guid: string) => {
        for (const list of [guids.pushed, guids.plain]) list.unshift(guid)
      }
      expect(await eventually(async () => (await all()) && (await hub.tell()) === 1)).toBe(true)
      for (let n = 0; n < TOLD; n++) {
        publish(`told ${n}`)
        await hub.tell()
        expect(await eventually(all)).toBe(true)
      }
      await hub.kill()
      const waited: number[] = []
      for (let n = 0; n < UNTOLD; n++) {
        publish(`untold ${n}`)
        const before = { ...polls }
        expect(await eventually(() => polls.pushed > before.pushed)).toBe(true)
        waited.push(polls.plain - before.plain)
        expect(await eventually(all)).toBe(true)
      }
      const causes = (await data.store.decisions(pushed?.source.id ?? 0, 100)).map(({ cause }) => cause)
      console.log(`polls of the source without hub until the other was polled, after the kill: ${waited.join(', ')}`)
      expect(causes).toContain('push')
      expect(causes[0]).not.toBe('push')
      expect(Math.max(...waited)).toBeLessThanOrEqual(MOST_POLLS)
    })
  } finally {
    await hub.kill()
    await site.close()
  }
})
