import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { rss } from '../documents.ts'
import { BOBS_FEED, isDone, type MembersScene, SECRET } from './scene.ts'

/** Statements that would rename, refile or weigh a source that others follow, also by an address that it had before. */
export async function takeSource({ stage, node, bob, strangeKeys, attempt }: MembersScene): Promise<void> {
  const server = await stage.startServer((request, response) => {
    if (request.url === '/before') return void response.writeHead(301, { location: '/after' }).end()
    response.writeHead(200, { 'content-type': 'application/xml' }).end(rss('moved', [{ id: 'm' }]))
  })
  const added = await node.owner.must('POST', '/api/sources', { url: server.url('/before'), discover: false })
  const id = added.source.id as number
  await node.owner.must('PATCH', `/api/sources/${id}`, { name: 'moved', categories: ['Owners'] })
  const hasMoved = await stage.eventually(async () => {
    await node.owner.ask('POST', `/api/sources/${id}/refresh`)
    return (await node.owner.must('GET', `/api/sources/${id}`)).url === server.url('/after')
  })
  if (!hasMoved) throw new Error('the source did not move')
  const urls = [server.url('/before'), server.url('/after'), server.url('/before').replace('http:', 'HTTP:')]
  const texts = [
    ...urls.map((url) => `REGISTER FEED "${url}" AS stolen CATEGORY "Bobs" WEIGHT 99;`),
    ...urls.map((url) => `REGISTER FEED "${url}" AS moved WEIGHT 99;`),
    'ALTER FEED moved CATEGORY "Bobs";',
    'ALTER FEED moved WEIGHT 99;',
    'DROP FEED moved;',
  ]
  for (const { words, options } of strangeKeys) {
    for (const text of texts) {
      const answer = await node.ask('POST', '/api/queries', { ...options, body: { text, replace: true } })
      attempt(isDone(answer), `${words} changes a source by ${text}`, answer)
    }
    for (const body of [{ name: 'stolen' }, { categories: ['Bobs'] }, { url: 'http://127.0.0.1:1/' }]) {
      const answer = await node.ask('PATCH', `/api/sources/${id}`, { ...options, body })
      attempt(isDone(answer), `${words} changes a source: ${JSON.stringify(body)}`, answer)
    }
    const removed = await node.ask('DELETE', `/api/sources/${id}`, options)
    attempt(isDone(removed), `${words} removes a source`, removed)
  }
  for (const url of urls) await bob.ask('POST', '/api/sources', { body: { url, name: 'stolen', discover: false } })
  const { name, categories, weight } = await node.owner.must('GET', `/api/sources/${id}`)
  const isSame = name === 'moved' && categories.join() === 'Owners' && weight === 1
  attempt(!isSame, `the source is now ${name} in ${categories} with weight ${weight}`)
}

/** A file belongs to whoever took its path first, however the path is written. */
export async function takePath({ node, ann, bob, attempt }: MembersScene): Promise<void> {
  const folder = join(node.dataDir, 'files')
  mkdirSync(join(folder, 'real'), { recursive: true })
  symlinkSync(join(folder, 'real'), join(folder, 'link'))
  const paths = ['ann.rss', 'real/ann.rss', 'café.rss']
  for (const path of paths)
    await ann.must('POST', '/api/subscriptions', { feed: SECRET, output: { kind: 'file', path } })
  const writings = [
    'ann.rss',
    './ann.rss',
    'x/../ann.rss',
    'ANN.RSS',
    'ann.rss.',
    'ann.rss ',
    'ann.rss.new',
    'ann.rss.new.new',
    'ａｎｎ.rss',
    './/ann.rss',
    'link/ann.rss',
    'real//ann.rss',
    'link/../real/ann.rss',
    'cafe\u0301.rss',
    'CAFÉ.rss',
    join(folder, 'ann.rss'),
  ]
  for (const path of writings) {
    const answers = [
      await bob.ask('POST', '/api/subscriptions', { body: { feed: BOBS_FEED, output: { kind: 'file', path } } }),
      await bob.ask('POST', '/api/queries', { body: { text: `SUBSCRIBE TO ${BOBS_FEED} OUTPUT FILE "${path}";` } }),
    ]
    for (const answer of answers) attempt(isDone(answer), `bob writes to ann's file as ${JSON.stringify(path)}`, answer)
  }
  await refuseAtOnce(bob, attempt)
}

/** What would be refused at every delivery is refused when it is made. */
async function refuseAtOnce(bob: MembersScene['bob'], attempt: MembersScene['attempt']): Promise<void> {
  const outputs = [
    { kind: 'file', path: '/etc/passwd' },
    { kind: 'file', path: '../headwater.db' },
    { kind: 'webhook', url: 'http://169.254.169.254/latest' },
    { kind: 'webhook', url: 'http://10.0.0.1/' },
    { kind: 'webhook', url: 'file:///etc/passwd' },
    { kind: 'mail', to: 'somebody@mail.example' },
  ]
  for (const output of outputs) {
    const answer = await bob.ask('POST', '/api/subscriptions', { body: { feed: BOBS_FEED, output } })
    attempt(isDone(answer), `an output that can never be served is taken: ${JSON.stringify(output)}`, answer)
  }
}
