import type { AttackRequest } from '../client.ts'
import { BOBS_FEED, isDone, type MembersScene, OPEN, SECRET, TITLE } from './scene.ts'

const COPIES = [
  `RETURN ${SECRET}`,
  `RETURN ${SECRET} AS $s WHERE ITEM CONTAINS "a"`,
  `RETURN news | ${SECRET}`,
  `RETURN news AS $n JOIN ${SECRET} AS $s ON $n[TITLE] = $s[TITLE]`,
  `RETURN ${SECRET} DISTINCT BY TITLE`,
  `RETURN "${SECRET}"`,
]

/** A feed of one's own that reads what another keeps, previews of it, and readers that lead to it. */
export async function copy({ node, bob, strangeKeys, attempt }: MembersScene): Promise<void> {
  const writers = strangeKeys.filter(({ words }) => words.startsWith('bob'))
  for (const [index, query] of COPIES.entries()) {
    for (const { words, options } of writers) {
      const texts = [
        `CREATE FEED copy${index} AS ${query};`,
        `ALTER FEED ${BOBS_FEED} ${query};`,
        `CREATE FEED a${index} AS RETURN news; CREATE FEED b${index} AS ${query}; SUBSCRIBE TO b${index} OUTPUT FILE "b.rss";`,
        `CREATE FEED ${BOBS_FEED} AS ${query};`,
      ]
      for (const text of texts) {
        const answer = await node.ask('POST', '/api/queries', {
          ...options,
          body: { text, replace: true, backFill: 'all' },
        })
        attempt(isDone(answer), `${words} copies by ${text}`, answer)
      }
      const preview = await node.ask('POST', '/api/queries/preview', { ...options, body: { text: query, over: 'all' } })
      const isSeen = !query.includes('news') && (preview.body?.feeds?.[0]?.matches ?? 0) > 0
      attempt(isSeen, `${words} previews ${query}`, preview)
    }
  }
  const own = await bob.must('GET', `/api/queries/${BOBS_FEED}`)
  attempt(own.text.includes(SECRET), 'the own feed was altered to read what is private')
}

const BUILT_IN = ['/feeds/all', '/feeds/category/News', '/feeds/category/news', '/feeds/category/NEWS']
const ENDINGS = ['.rss', '.atom', '.json']

/** Hidden built-in feeds are for users; a token for one feed makes a stranger to everything else. */
export async function openHiddenFeeds(scene: MembersScene): Promise<void> {
  const { node, strangeKeys, sourceId, attempt } = scene
  const hide = (feed: string, isPrivate: boolean) => node.owner.must('PUT', '/api/feeds/access', { feed, isPrivate })
  const paths = [...BUILT_IN, `/feeds/source/${sourceId}`]
  const etags = new Map<string, string>()
  for (const path of paths)
    for (const ending of ENDINGS) {
      const { headers } = await node.ask('GET', `${path}${ending}`)
      etags.set(`${path}${ending}`, String(headers.etag ?? ''))
    }
  for (const feed of ['/feeds/all', '/feeds/category/News', '/feeds/source/*']) await hide(feed, true)
  const outside = strangeKeys.filter(({ words }) => !/session|read|write|feed token/.test(words))
  for (const path of paths)
    for (const ending of ENDINGS)
      for (const { words, options } of outside)
        for (const how of waysIn(options, etags.get(`${path}${ending}`) ?? '')) {
          const answer = await node.ask('GET', `${path}${ending}${how.rest}`, how.options)
          const isOpen = isDone(answer) || answer.text.includes(TITLE)
          attempt(isOpen, `${words} opens the hidden ${path}${ending}${how.rest}`, answer)
        }
  for (const feed of ['/feeds/all', '/feeds/category/News', '/feeds/source/*']) await hide(feed, false)
}

interface Way {
  readonly rest: string
  readonly options: AttackRequest
}

/** As a header, in the address, as a password; and as somebody who was here before. */
function waysIn({ token, ...options }: AttackRequest, etag: string): readonly Way[] {
  const before = { 'if-none-match': etag, 'a-im': 'feed' }
  const plain: Way[] = [
    { rest: '', options: { token, ...options } },
    { rest: '', options: { token, ...options, headers: before } },
  ]
  if (token === undefined) return plain
  const basic = { authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` }
  return [...plain, { rest: `?token=${token}`, options }, { rest: '', options: { ...options, headers: basic } }]
}

/** Who knows what a private feed was like gets no news of it. */
export async function askForNews({ node, ann, strangeKeys, attempt }: MembersScene): Promise<void> {
  for (const ending of ENDINGS) {
    const { headers } = await ann.ask('GET', `/feeds/${SECRET}${ending}`)
    for (const { words, options } of strangeKeys)
      for (const way of waysIn(options, String(headers.etag ?? ''))) {
        const answer = await node.ask('GET', `/feeds/${SECRET}${ending}${way.rest}`, way.options)
        attempt(
          isDone(answer) || answer.text.includes(TITLE),
          `${words} asks what is new in ${SECRET}${ending}`,
          answer,
        )
      }
  }
}

/** A feed that reads one that became private shows nothing more of it from that moment, and says why. */
export async function keepAfterwards({ stage, node, ann, bob, attempt }: MembersScene): Promise<void> {
  const name = 'bob_borrows'
  await bob.must('POST', '/api/queries', { text: `CREATE FEED ${name} AS RETURN ${OPEN};`, backFill: 'all' })
  const text = async () => (await bob.ask('GET', `/feeds/${name}.json`)).text
  await stage.eventually(async () => (await text()).includes(TITLE))
  await ann.must('PATCH', `/api/queries/${OPEN}`, { isPrivate: true })
  for (const path of [...ENDINGS.map((ending) => `/feeds/${name}${ending}`), `/feeds/${name}.json?archive=1`]) {
    const answer = await node.ask('GET', path)
    attempt(answer.text.includes(TITLE), `${path} goes on showing what became private`, answer)
  }
  for (const path of [`/api/items?feed=${name}`, `/api/items?feed=${name}&text=seen`]) {
    const answer = await bob.ask('GET', path)
    attempt(answer.text.includes(TITLE), `${path} goes on showing what became private`, answer)
  }
  const isShown = async () => (await bob.must('GET', `/api/queries/${name}`)).lacks.includes(OPEN)
  attempt(!(await isShown()), 'the owner of a feed is not shown that it lacks what became private')
  const isMade = await stage.eventually(async () => (await bob.ask('GET', `/feeds/${name}.json`)).status === 200)
  attempt(!isMade || (await text()).includes(TITLE), 'the feed was rebuilt with what became private')
  const dropped = await ann.ask('DELETE', `/api/queries/${OPEN}`)
  attempt(!isDone(dropped), 'an owner cannot drop a feed that another reads', dropped)
}
