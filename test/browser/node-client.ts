import type { Page } from 'playwright-core'

export const OWNER = { name: 'owner', password: 'a long enough password' }

/** What a test prepares without clicking: the API as a program uses it, with the session of the owner. */
export interface NodeClient {
  readonly cookie: string
  call(method: string, path: string, body?: unknown): Promise<unknown>
}

/** Becomes the owner of a new node. */
export async function claim(url: string): Promise<NodeClient> {
  const answer = await send(url, 'POST', '/api/session/owner', OWNER, '')
  if (!answer.ok) throw new Error(`the node cannot be claimed: ${answer.status} ${await answer.text()}`)
  return clientOf(url, (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '')
}

/** Sits at the machine of a demo, which asks for no password. */
export function visit(url: string): NodeClient {
  return clientOf(url, '')
}

function clientOf(url: string, cookie: string): NodeClient {
  return {
    cookie,
    async call(method, path, body) {
      const response = await send(url, method, path, body, cookie)
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    },
  }
}

function send(url: string, method: string, path: string, body: unknown, cookie: string): Promise<Response> {
  const isText = typeof body === 'string'
  return fetch(`${url}${path}`, {
    method,
    headers: {
      'x-headwater': '1',
      ...(body === undefined ? {} : { 'content-type': isText ? 'text/x-opml' : 'application/json' }),
      ...(cookie === '' ? {} : { cookie }),
    },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  })
}

/** Gives the page the session of a client, so that a test need not begin with the log-in. */
export async function enter(page: Page, url: string, client: NodeClient): Promise<void> {
  if (client.cookie === '') return
  const [name = '', value = ''] = client.cookie.split(/=(.*)/s)
  await page.context().addCookies([{ name, value, url }])
}
