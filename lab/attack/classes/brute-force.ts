import { randomBytes } from 'node:crypto'
import type { AttackClass } from '../attack.ts'
import { inParallel } from '../in-parallel.ts'
import { PASSWORD } from '../people.ts'
import type { AttackedNode } from '../stage.ts'

/** Guesses that may be checked from one address in a minute, generously. */
const MOST_A_MINUTE = 20

export const bruteForce: AttackClass = {
  name: 'brute-force',
  promise: 'Passwords, sessions, tokens and invitations cannot be guessed, and nobody learns which names there are',
  async run(stage, effort) {
    const node = await stage.startNode()
    const hits: string[] = []
    const startMs = node.process.cpuMs()
    const guesses = effort === 'full' ? 300 : 40
    const tries =
      (await passwords(node, guesses, hits)) +
      (await secrets(node, effort === 'full' ? 2_000 : 100, hits)) +
      (await names(node, hits)) +
      (await forged(node, hits))
    if (!node.process.isRunning()) hits.push('the node ended')
    return { tries, hits, figures: { cpuSeconds: (node.process.cpuMs() - startMs) / 1_000 } }
  },
}

/** One address, one account, as fast as it goes. */
async function passwords(node: AttackedNode, guesses: number, hits: string[]): Promise<number> {
  const began = Date.parse((await node.ask('GET', '/api/session')).headers.date ?? '')
  let attempts = 0
  await inParallel(16, Array.from({ length: guesses }), async (_, i) => {
    const body = { name: 'owner', password: `guess number ${i}` }
    const answer = await node.ask('POST', '/api/session', { body, from: '127.0.3.1' })
    if (answer.status === 200) hits.push(`${body.password} was taken for the password`)
    if (answer.body?.code === 'LOGIN_FAILED') attempts++
  })
  const ended = Date.parse((await node.ask('GET', '/api/session')).headers.date ?? '')
  const minutes = 1 + Math.ceil((ended - began) / 60_000)
  if (attempts > MOST_A_MINUTE * minutes)
    hits.push(`${attempts} guesses from one address were checked within ${minutes} min`)
  return guesses
}

const nearMisses = (token: string, session: string) => [
  token.slice(0, -1),
  `${token}x`,
  token.toUpperCase(),
  session.slice(0, -1),
  `${session}=`,
  '',
  '*',
  '%',
  "' OR 1=1 --",
]

/** Sessions, tokens and invitations: random, empty, of the wrong kind, shortened, with the hash instead of the secret. */
async function secrets(node: AttackedNode, count: number, hits: string[]): Promise<number> {
  const token = await node.owner.token('read')
  const session = node.owner.cookie.split('=')[1] ?? ''
  const near = nearMisses(token, session)
  const random = Array.from({ length: count }, () => `hw_${randomBytes(24).toString('base64url')}`)
  await inParallel(8, [...near, ...random], async (secret) => {
    const quoted = encodeURIComponent(secret)
    const basic = `Basic ${Buffer.from(`owner:${secret}`).toString('base64')}`
    const answers = await Promise.all([
      node.ask('GET', '/api/sources', { headers: { authorization: `Bearer ${secret}` } }),
      node.ask('GET', '/api/sources', { cookie: `headwater_session=${quoted}` }),
      node.ask('GET', `/api/sources?token=${quoted}`),
      node.ask('GET', '/api/sources', { headers: { authorization: basic } }),
    ])
    for (const { status } of answers) if (status === 200) hits.push(`${secret.slice(0, 8)}… opened the door`)
  })
  return 4 * (near.length + random.length)
}

/** The same answer for a name that exists and one that does not. */
async function names(node: AttackedNode, hits: string[]): Promise<number> {
  const answers = []
  for (const name of ['owner', 'nobody', 'OWNER', 'root']) {
    answers.push(
      await node.ask('POST', '/api/session', {
        body: { name, password: 'wrong password' },
        from: `127.0.4.${answers.length + 1}`,
      }),
    )
  }
  const answersText = new Set(answers.map(({ status, body }) => `${status} ${body?.code} ${body?.detail ?? ''}`))
  if (answersText.size > 1) hits.push(`existing names can be recognised: ${[...answersText].join(' / ')}`)
  return answers.length
}

/** The node is taken only once, and only from the machine itself. */
async function forged(node: AttackedNode, hits: string[]): Promise<number> {
  const body = { name: 'thief', password: PASSWORD }
  const ways: readonly Record<string, string>[] = [
    {},
    { host: 'evil.example' },
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1' },
    { 'x-real-ip': '127.0.0.1' },
  ]
  for (const [i, headers] of ways.entries()) {
    const answer = await node.ask('POST', '/api/session/owner', { body, headers, from: `127.0.5.${i + 1}` })
    if (answer.status < 300) hits.push(`a second owner by ${JSON.stringify(headers)}`)
  }
  const invitations = ['', 'x', '*', 'null', randomBytes(24).toString('base64url')]
  for (const [i, invitation] of invitations.entries()) {
    const answer = await node.ask('POST', '/api/session/invitation', {
      body: { invitation, password: PASSWORD },
      from: `127.0.6.${i + 1}`,
    })
    if (answer.status < 300) hits.push(`the invitation "${invitation}" was taken`)
  }
  return ways.length + invitations.length
}
