import type { AttackAnswer } from '../client.ts'
import { type MembersScene, SECRET } from './scene.ts'

const MISSING = 'no_such_one'

type Question = readonly [method: string, path: (name: string) => string, body?: (name: string) => unknown]

const QUESTIONS: readonly Question[] = [
  ...['.rss', '.atom', '.json', '.json?archive=1', '.atom?archive=x', '.json?after=0', '.xml', ''].map(
    (rest): Question => ['GET', (name) => `/feeds/${name}${rest}`],
  ),
  ['GET', (name) => `/api/queries/${name}`],
  ['GET', (name) => `/api/quality?scope=feed:${name}`],
  ['GET', (name) => `/api/quality/series?scope=feed:${name}`],
  ['GET', (name) => `/api/items?feed=${name}`],
  ['GET', (name) => `/api/items?feed=${name}&text=seen`],
  ['GET', (name) => `/api/subscriptions?feed=${name}`],
  ['GET', (name) => `/api/queries/words?begins=${name}`],
  ['PATCH', (name) => `/api/queries/${name}`, () => ({ weight: 2 })],
  ['DELETE', (name) => `/api/queries/${name}`],
  ['POST', (name) => `/api/queries/${name}/tokens`, () => ({})],
  ['DELETE', (name) => `/api/queries/${name}/tokens/1`],
  ['POST', () => '/api/tokens', (name) => ({ scope: 'feed', feed: name })],
  ['POST', () => '/api/items/mark-all-read', (name) => ({ feed: name, upTo: 1 })],
  ['PUT', () => '/api/follows', (name) => ({ feed: `/feeds/${name}` })],
  ['DELETE', (name) => `/api/follows?feed=/feeds/${name}`],
  ['POST', () => '/api/subscriptions', (name) => ({ feed: name, output: { kind: 'file', path: 'alike.rss' } })],
  ['PUT', () => '/api/feeds/access', (name) => ({ feed: `/feeds/${name}`, isPrivate: false })],
  ...[
    (name: string) => `CREATE FEED c AS RETURN ${name};`,
    (name: string) => `CREATE FEED c AS RETURN news | ${name} AS $s WHERE $s[TITLE CONTAINS "x"];`,
    (name: string) => `ALTER FEED ${name} TITLE "x";`,
    (name: string) => `DROP FEED ${name};`,
    (name: string) => `SUBSCRIBE TO ${name} OUTPUT FILE "x.rss";`,
    (name: string) => `UNSUBSCRIBE FROM ${name};`,
    (name: string) => `RETURN ${name.slice(0, -1)}`,
  ].flatMap((text): Question[] => [
    ['POST', () => '/api/queries', (name) => ({ text: text(name) })],
    ['POST', () => '/api/queries/check', (name) => ({ text: text(name) })],
    ['POST', () => '/api/queries/preview', (name) => ({ text: text(name), over: 'all' })],
  ]),
]

/** To who may not see it, what is private is as what is missing: by status, headers, words and length. */
export async function tryToDistinguish({ node, strangeKeys, attempt, some }: MembersScene): Promise<void> {
  for (const [method, path, body] of some(QUESTIONS, 20)) {
    for (const { words, options } of strangeKeys) {
      const ask = (name: string) =>
        node.ask(method, path(name), { ...options, ...(body === undefined ? {} : { body: body(name) }) })
      const there = await ask(SECRET)
      const missing = await ask(MISSING)
      const question = `${method} ${path('…')} ${JSON.stringify(body?.('…') ?? '')}`
      attempt(
        plain(there, SECRET) !== plain(missing, MISSING),
        `${words} can distinguish private from missing by ${question}`,
        there,
      )
    }
  }
}

/** Without what differs from one moment to the next. */
function plain({ status, headers, text }: AttackAnswer, name: string): string {
  const { date: _date, ...rest } = headers
  const all = `${status} ${JSON.stringify(rest)} ${text}`.replaceAll(name, '…').replaceAll(name.slice(0, -1), '…')
  return all.replace(/"(at|from|to)":("[^"]*"|\d+)/g, '')
}
