import { createHmac } from 'node:crypto'
import { PASSWORD } from '../settings/one-node.ts'

/** Whether a message of the hub has the signature of this secret. */
export function signedWith(
  call: { readonly headers: Readonly<Record<string, unknown>>; readonly body: Buffer } | undefined,
  secret: string,
) {
  const expected = `sha256=${createHmac('sha256', secret)
    .update(call?.body ?? '')
    .digest('hex')}`
  return call?.headers['x-hub-signature'] === expected
}

export async function ownerCookie(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-headwater': '1' },
    body: JSON.stringify({ name: 'owner', password: PASSWORD }),
  })
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}
