import { ALL_OPERATIONS } from '../../../src/api/operations/index.ts'
import type { Operation } from '../../../src/api/operations/operation.ts'
import type { AttackClass } from '../attack.ts'
import type { AttackAnswer, AttackRequest } from '../client.ts'
import { PASSWORD } from '../people.ts'
import type { AttackedNode } from '../stage.ts'

const EVIL = 'http://evil.example'

/** What a page of another site can make a browser send along with the cookie. */
const FOREIGN: Readonly<Record<string, AttackRequest>> = {
  'a form': { isBare: true, headers: { 'content-type': 'application/x-www-form-urlencoded', origin: EVIL } },
  'a form without origin': { isBare: true, headers: { 'content-type': 'text/plain' } },
  'a form with a file': { isBare: true, headers: { 'content-type': 'multipart/form-data; boundary=x', origin: EVIL } },
  'JSON as text': { isBare: true, headers: { 'content-type': 'text/plain', origin: EVIL } },
  'JSON without our header': { isBare: true, headers: { 'content-type': 'application/json' } },
  'a script of another site': { headers: { origin: EVIL, 'sec-fetch-site': 'cross-site' } },
  'a sandboxed frame': { headers: { origin: 'null', 'sec-fetch-site': 'cross-site' } },
  'a page of a neighbour': { headers: { 'sec-fetch-site': 'same-site' } },
  'a name that looks like ours': { headers: { origin: 'http://127.0.0.1.evil.example' } },
  'our name as user': { headers: { origin: 'http://127.0.0.1@evil.example' } },
  'another port': { headers: { origin: 'http://127.0.0.1:1' } },
}

const OVERRIDES = ['x-http-method-override', 'x-method-override', 'x-http-method']

export const csrf: AttackClass = {
  name: 'csrf',
  promise: 'No page of another site can change anything with the cookie of a person, read answers or take the cookie',
  async run(stage) {
    const node = await stage.startNode()
    const secure = await stage.startNode({ flags: ['--public-url', 'https://feeds.example'], isClaimed: false })
    const hits: string[] = []
    const writes = ALL_OPERATIONS.filter(({ method }) => method !== 'GET')
    let tries = 0
    for (const operation of writes) {
      for (const [how, options] of Object.entries(FOREIGN)) {
        tries++
        const answer = await send(node, operation, options)
        if (!isRefused(answer)) hits.push(`${operation.id} by ${how}: ${answer.status} ${answer.text.slice(0, 100)}`)
      }
    }
    tries += await overridden(node, writes, hits)
    tries += await shared(node, hits)
    tries += await cookies(node, secure, hits)
    if ((await node.owner.ask('GET', '/api/session')).body?.user?.name !== 'owner')
      hits.push('the owner was logged out')
    return { tries, hits }
  },
}

function send(node: AttackedNode, { method, path }: Operation, options: AttackRequest): Promise<AttackAnswer> {
  const target = path.replace(/\{id\}|\{seq\}/g, '1').replace(/\{\w+\}/g, 'x')
  return node.owner.ask(method, target, { body: Buffer.from('{"name":"x","text":"DROP FEED x;"}'), ...options })
}

/** 400, 413, 415: it was not even read. */
function isRefused({ status, body }: AttackAnswer): boolean {
  return body?.code === 'ORIGIN_REFUSED' || status === 415 || status === 413 || status === 400 || status === 429
}

/** A link or a form that says to be another method. */
async function overridden(node: AttackedNode, writes: readonly Operation[], hits: string[]): Promise<number> {
  const before = (await node.owner.must('GET', '/api/users')).users.length
  for (const { method, path } of writes) {
    const target = path.replace(/\{\w+\}/g, '1')
    for (const name of OVERRIDES)
      await node.owner.ask('GET', `${target}?_method=${method}`, { isBare: true, headers: { [name]: method } })
  }
  if ((await node.owner.must('GET', '/api/users')).users.length !== before) hits.push('a GET changed the users')
  return writes.length * OVERRIDES.length
}

/** Whether a foreign page may read an answer, or show a page of ours in a frame. */
async function shared(node: AttackedNode, hits: string[]): Promise<number> {
  const paths = [
    '/api/session',
    '/api/sources',
    '/api/settings',
    '/api/backup',
    '/api/events',
    '/',
    '/feeds',
    '/api/docs',
  ]
  for (const path of paths) {
    for (const method of ['OPTIONS', 'GET']) {
      if (path === '/api/events' && method === 'GET') continue
      const headers = {
        origin: EVIL,
        'access-control-request-method': 'DELETE',
        'access-control-request-headers': 'x-headwater',
      }
      const answer = await node.owner.ask(method, path, { headers: { ...headers, accept: 'text/html' } })
      const allowed = answer.headers['access-control-allow-origin']
      if (allowed !== undefined) hits.push(`${method} ${path} may be read by ${allowed}`)
      const isPage = /text\/html/.test(answer.headers['content-type'] ?? '')
      const policy = String(answer.headers['content-security-policy'] ?? '')
      const isFramed =
        !/frame-ancestors 'none'|frame-ancestors 'self'/.test(policy) && answer.headers['x-frame-options'] === undefined
      if (isPage && isFramed) hits.push(`${method} ${path} may be shown in a frame`)
    }
  }
  return paths.length * 2
}

async function cookies(node: AttackedNode, secure: AttackedNode, hits: string[]): Promise<number> {
  const body = { name: 'owner', password: PASSWORD }
  const plain = await node.ask('POST', '/api/session', { body })
  const overTls = await secure.ask('POST', '/api/session/owner', { body })
  for (const [answer, isSecure] of [
    [plain, false],
    [overTls, true],
  ] as const) {
    const setCookies = [answer.headers['set-cookie'] ?? []].flat()
    if (setCookies.length === 0) hits.push('no cookie was set')
    for (const cookie of setCookies) {
      if (!/; ?HttpOnly/i.test(cookie)) hits.push(`scripts may read ${cookie.split('=', 1)}`)
      if (!/; ?SameSite=(Lax|Strict)/i.test(cookie)) hits.push(`other sites send ${cookie.split('=', 1)} along`)
      if (/; ?Domain=/i.test(cookie)) hits.push(`neighbours get ${cookie.split('=', 1)}`)
      if (isSecure && !/; ?Secure/i.test(cookie)) hits.push(`${cookie.split('=', 1)} travels in the clear`)
    }
  }
  return 2
}
