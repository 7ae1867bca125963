import type { ReadAccess } from '../../access/index.ts'
import type { QueryService, RuleService, RuleView } from '../../api/services.ts'
import type { UserId } from '../../model/index.ts'
import { printQuery } from '../../query/language/print.ts'
import { ruleQuery } from '../../query/rules/rule-query.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { Store } from '../../store/store.ts'
import { ITEM_RULES, type ItemRule, mayRead, queryInWords, ruleOrigin } from '../rules/item-rules.ts'
import { applyToArchive } from '../rules/run-rules.ts'

const MOST_RULES = 200

export function createRuleService(store: Store, access: ReadAccess, queries: QueryService): RuleService {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
    const next = last.then(change)
    last = next.catch(() => {})
    return next
  }
  const viewOf = async (rule: ItemRule): Promise<RuleView> => {
    const { id, place, words, action, tag } = rule
    return { id, place, words: [...words], action, tag, query: await queryInWords(rule, store) }
  }
  return {
    async list(userId) {
      const { rules } = await store.state(ITEM_RULES)
      return Promise.all(rules.filter((rule) => rule.userId === userId).map(viewOf))
    },
    add: (draft, caller) =>
      inTurn(async () => {
        const userId = caller.user?.id ?? 0
        const before = await store.state(ITEM_RULES)
        demandRoom(before, userId)
        let rule: ItemRule = { ...draft, words: [...draft.words], id: before.next, userId }
        await demandReadable(rule, caller.user?.role ?? null, store, access)
        if (rule.action === 'tag') await makeTag(rule, caller)
        await store.changeState(ITEM_RULES, (state) => {
          demandRoom(state, userId)
          rule = { ...rule, id: state.next }
          return { next: state.next + 1, rules: [...state.rules, rule] }
        })
        const applied = draft.action === 'tag' ? 0 : await applyToArchive(rule, { store, access })
        return { rule: await viewOf(rule), applied }
      }),
    remove: (id, caller) =>
      inTurn(async () => {
        const { rules } = await store.state(ITEM_RULES)
        const rule = rules.find((one) => one.id === id && one.userId === caller.user?.id)
        if (rule === undefined) throw new HeadwaterError('RULE_NOT_FOUND', String(id))
        if (rule.tag !== null) await dropTag(rule.tag, caller)
        await store.changeState(ITEM_RULES, ({ next, rules }) => ({
          next,
          rules: rules.filter((one) => one.id !== id),
        }))
      }),
    removeAllOf: (userId) =>
      inTurn(async () => {
        await store.changeState(ITEM_RULES, (state) => {
          const rules = state.rules.filter((rule) => rule.userId !== userId)
          return rules.length < state.rules.length ? { next: state.next, rules } : state
        })
      }),
  }

  /** A tag is a private query feed: readers show query feeds as labels. */
  async function makeTag(rule: ItemRule, by: Parameters<RuleService['add']>[1]): Promise<void> {
    const origin = await ruleOrigin(rule, store)
    if (origin === null || rule.tag === null) throw new HeadwaterError('RULE_INVALID', 'a tag needs a name')
    const text = `CREATE FEED ${rule.tag} AS ${printQuery(ruleQuery(origin, rule.words))};`
    await queries.apply(text, { replace: false, backFill: 'all', isPrivate: true, by })
  }

  /** It may have been dropped by hand. */
  async function dropTag(tag: string, by: Parameters<RuleService['add']>[1]): Promise<void> {
    if (!(await store.queryFeeds()).some(({ name }) => name === tag)) return
    await queries.apply(`DROP FEED ${tag};`, { replace: false, backFill: 'none', by })
  }
}

function demandRoom({ rules }: { readonly rules: readonly ItemRule[] }, userId: UserId): void {
  if (rules.filter((rule) => rule.userId === userId).length >= MOST_RULES)
    throw new HeadwaterError('RULE_INVALID', `there are ${MOST_RULES} already; remove one first`)
}

async function demandReadable(
  rule: ItemRule,
  role: 'owner' | 'member' | null,
  store: Store,
  access: ReadAccess,
): Promise<void> {
  const { place } = rule
  if ((await ruleOrigin(rule, store)) === null) throw new HeadwaterError('SOURCE_NOT_FOUND')
  if (!mayRead(rule, await access(), () => role))
    throw new HeadwaterError('FEED_NOT_FOUND', place.kind === 'feed' ? place.feed : '')
}
