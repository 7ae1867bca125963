import { expect } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { addPerson } from '../support/people.ts'
import { onNode } from './one-node.ts'
import { row, type SettingRow } from './setting-row.ts'

type Flags = Readonly<Record<string, unknown>>
type Post = readonly [path: string, body: unknown]

/** How many of these requests of a member succeed, and how the others are answered. */
async function allowed(flags: Flags, posts: readonly Post[], first: readonly Post[] = []): Promise<readonly string[]> {
  return onNode(flags, async ({ node }) => {
    const { cookie } = await addPerson(node.data.store, 'ann', 'member', systemClock.now())
    const ask = async ([path, body]: Post) => {
      const headers = { 'x-headwater': '1', 'content-type': 'application/json', cookie }
      const answer = await fetch(`${node.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return answer.ok ? 'done' : ((await answer.json()) as { code: string }).code
    }
    for (const post of first) expect([post, await ask(post)]).toEqual([post, 'done'])
    // At once: none may slip in beside another.
    return (await Promise.all(posts.map(ask))).sort()
  })
}

const many = (post: (index: number) => Post) => Array.from({ length: 4 }, (_, index) => post(index))
const FEED: Post = ['/api/queries', { text: 'CREATE FEED hers AS RETURN ALL;' }]

function limit(name: SettingRow['name'], posts: readonly Post[], first: readonly Post[] = []): SettingRow {
  return row(name, {
    values: [2, 100],
    effect: (flags) => allowed(flags, posts, first),
    shows: (few, all) => {
      expect(few).toEqual(['LIMIT_REACHED', 'LIMIT_REACHED', 'done', 'done'])
      expect(all).toEqual(['done', 'done', 'done', 'done'])
    },
  })
}

/** What one member may have. */
export const MEMBER_ROWS: readonly SettingRow[] = [
  limit(
    'memberSources',
    many((index) => ['/api/sources', { url: `http://s${index}.invalid/feed`, discover: false, paused: true }]),
  ),
  limit(
    'memberQueries',
    many((index) => ['/api/queries', { text: `CREATE FEED f${index} AS RETURN ALL;` }]),
  ),
  limit(
    'memberSubscriptions',
    many((index) => ['/api/subscriptions', { feed: 'hers', output: { kind: 'file', path: `${index}.xml` } }]),
    [FEED],
  ),
  limit(
    'memberTokens',
    many((index) => (index % 2 === 0 ? ['/api/tokens', { scope: 'read' }] : ['/api/queries/hers/tokens', {}])),
    [FEED],
  ),
]
