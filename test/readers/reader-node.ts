import { secretHash } from '../../src/api/access/principal.ts'
import type { User } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { NewItem } from '../../src/store/store.ts'
import { type ApiAnswer, type ApiNode, openApiNode } from '../api/api-node.ts'
import { addPerson } from '../support/people.ts'
import { NOON } from '../support/published-items.ts'
import { addSource, storeItems } from '../support/publishing.ts'

export interface ReaderNode extends ApiNode {
  readonly owner: { readonly user: User; readonly cookie: string }
  readonly member: { readonly user: User; readonly cookie: string }
  /** An app password of each kind. */
  passwordOf(user: User, scope?: 'app' | 'fever' | 'read' | 'write' | 'feed'): Promise<string>
  /** As an app of the Google Reader API asks. */
  greader(method: string, path: string, form?: string | null, password?: string | null): Promise<ApiAnswer>
}

/** A node with three sources in two folders and a user; item numbers 1 to 6. */
export async function openReaderNode(): Promise<ReaderNode> {
  const node = await openApiNode()
  const { store } = node.data
  const owner = await addPerson(store, 'owner', 'owner', systemClock.now())
  const member = await addPerson(store, 'ann', 'member', systemClock.now())
  let made = 0
  const passwordOf: ReaderNode['passwordOf'] = async (user, scope = 'app') => {
    const secret = `hw_password-${++made}`
    await store.addApiToken({ userId: user.id, label: null, scope, feed: null, hash: secretHash(secret) }, NOON)
    return secret
  }
  const own = await passwordOf(owner.user)
  const categories = [['News'], ['News', 'Arts/Film'], []]
  for (const [index, folders] of categories.entries()) {
    const { id } = await addSource(store, `http://s${index + 1}.invalid/feed`, {
      name: `Source ${index + 1}`,
      categories: folders,
    })
    await storeItems(store, id, [itemOf(index, 1), itemOf(index, 2)])
  }
  return Object.assign(node, {
    owner,
    member,
    passwordOf,
    greader: async (method: string, path: string, form: string | null = null, password: string | null = own) => {
      const answer = await node.ask(method, path, {
        isBare: true,
        headers: {
          ...(password === null ? {} : { authorization: `GoogleLogin auth=${password}` }),
          ...(form === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(form === null ? {} : { body: Buffer.from(form) }),
      })
      // Some JSON is sent as text.
      return answer.text.startsWith('{') ? { ...answer, body: JSON.parse(answer.text) } : answer
    },
  })
}

export function itemOf(source: number, number: number, more: Partial<NewItem> = {}): Partial<NewItem> {
  const name = `item-${source}-${number}`
  return {
    key: name as never,
    id: name,
    title: `Title ${source} ${number}`,
    link: `http://s${source}.invalid/${number}`,
    summary: `<p>Text of ${name}</p><script>alert(1)</script>`,
    content: null,
    firstSeenAt: NOON + (2 * source + number) * 60_000,
    sortAt: NOON + (2 * source + number) * 60_000,
    ...more,
  }
}
