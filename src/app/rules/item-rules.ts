import { z } from 'zod'
import type { AccessView } from '../../access/index.ts'
import { userAsCaller } from '../../access/index.ts'
import type { SourceId, UserId } from '../../model/index.ts'
import { withoutCredentials } from '../../publisher/web-address.ts'
import type { ItemOrigin } from '../../query/language/ast.ts'
import { printQuery } from '../../query/language/print.ts'
import { ruleQuery } from '../../query/rules/rule-query.ts'
import { jsonState } from '../../store/node-state.ts'
import type { Store } from '../../store/store.ts'

const place = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('all') }),
  z.object({ kind: z.literal('source'), sourceId: z.int() }),
  z.object({ kind: z.literal('category'), category: z.string() }),
  z.object({ kind: z.literal('feed'), feed: z.string() }),
])

const storedRule = z.object({
  id: z.int(),
  userId: z.int(),
  place,
  words: z.array(z.string()),
  action: z.enum(['read', 'star', 'mute', 'tag']),
  /** Of a tag: the private query feed that holds what has it. */
  tag: z.string().nullable(),
})

/** What is to happen to a user's items from somewhere that hold some words. */
export type ItemRule = z.infer<typeof storedRule>

/** The next number, and all rules in the order in which they were made. */
export const ITEM_RULES = jsonState<{ readonly next: number; readonly rules: readonly ItemRule[] }>(
  'item-rules',
  { next: 1, rules: [] },
  (value) => {
    const read = z.object({ next: z.int(), rules: z.array(storedRule) }).safeParse(value)
    return read.success ? read.data : undefined
  },
)

/** null: what it is about is gone. */
export async function ruleOrigin(
  { place }: Pick<ItemRule, 'place'>,
  store: Pick<Store, 'source'>,
): Promise<ItemOrigin | null> {
  if (place.kind === 'category') return { kind: 'category', category: place.category }
  if (place.kind === 'feed') return { kind: 'name', name: place.feed }
  if (place.kind === 'all') return { kind: 'all' }
  const source = await store.source(place.sourceId as SourceId)
  return source === null ? null : { kind: 'url', url: source.url }
}

/** As people see it, on one line: without what the address of a source may hold to log in with. */
export async function queryInWords(rule: ItemRule, store: Pick<Store, 'source'>): Promise<string | null> {
  const origin = await ruleOrigin(rule, store)
  if (origin === null) return null
  const shown = origin.kind === 'url' ? { ...origin, url: withoutCredentials(origin.url) } : origin
  return printQuery(ruleQuery(shown, rule.words)).replaceAll('\n', ' ')
}

/** Of a query feed only while its user may see it. */
export function mayRead(
  { place, userId }: ItemRule,
  view: AccessView,
  roleOf: (id: UserId) => 'owner' | 'member' | null,
) {
  const role = roleOf(userId)
  if (role === null) return false
  if (place.kind !== 'feed') return true
  const feed = view.findFeed(place.feed)
  return feed !== null && view.may(userAsCaller({ id: userId, role }, view.table), 'see', feed) && view.shows(feed)
}
