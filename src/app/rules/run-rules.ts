import type { ReadAccess } from '../../access/index.ts'
import type { ItemSeq, UserId } from '../../model/index.ts'
import { arrivalsOf, withFeeds } from '../../query/arrivals.ts'
import type { FeedArrival } from '../../query/engine.ts'
import { loadLanguageDetector } from '../../query/item/language.ts'
import { Matcher } from '../../query/match/matcher.ts'
import { ruleQuery } from '../../query/rules/rule-query.ts'
import type { Clock } from '../../runtime/clock.ts'
import { repeat } from '../../runtime/repeat.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import { jsonState } from '../../store/node-state.ts'
import type { Store } from '../../store/store.ts'
import { ITEM_RULES, type ItemRule, mayRead, ruleOrigin } from './item-rules.ts'

type RuleStore = Pick<
  Store,
  | 'state'
  | 'saveState'
  | 'source'
  | 'sourcesById'
  | 'users'
  | 'queryFeeds'
  | 'publishedIn'
  | 'itemsAfter'
  | 'processedUpTo'
  | 'lastItemSeq'
  | 'markItems'
>

export interface RuleDeps {
  readonly store: RuleStore
  readonly access: ReadAccess
}

const AT_ONCE = 500
const LOOK_EVERY_MS = 1_000

/** The last item that rules were asked about; null: none yet, and they begin with what comes. */
export const RULES_CURSOR = jsonState<number | null>('item-rules-cursor', null, (value) =>
  typeof value === 'number' ? value : undefined,
)

/** Asks the rules about what came since; the items of a stretch may be asked about twice, which changes nothing. */
export async function followWithRules(deps: RuleDeps): Promise<void> {
  const { store } = deps
  const { rules } = await store.state(ITEM_RULES)
  // Queries come first: a rule may be about what they publish.
  const upTo = Math.min(await store.processedUpTo(), await store.lastItemSeq())
  const cursor = await store.state(RULES_CURSOR)
  if (cursor === null || rules.length === 0) {
    if (cursor !== upTo) await store.saveState(RULES_CURSOR, upTo)
    return
  }
  await walk(rules, { after: cursor, upTo }, deps, (at) => store.saveState(RULES_CURSOR, at))
}

/** What is there already, too. Returns how many items the rule is about. */
export async function applyToArchive(rule: ItemRule, deps: RuleDeps): Promise<number> {
  return walk([rule], { after: 0, upTo: await deps.store.lastItemSeq() }, deps, async () => {})
}

async function walk(
  rules: readonly ItemRule[],
  { after, upTo }: { readonly after: ItemSeq; readonly upTo: ItemSeq },
  { store, access }: RuleDeps,
  reached: (at: ItemSeq) => Promise<void>,
): Promise<number> {
  if (after >= upTo) return 0
  const matcher = await matcherOf(rules, store, access)
  const feeds = new Map((await store.queryFeeds()).map(({ id, name }) => [id, name]))
  let count = 0
  for (let at = after; at < upTo; ) {
    const items = (await store.itemsAfter(at, AT_ONCE)).filter(({ seq }) => seq <= upTo)
    const arrivals = await withFeeds(store, await arrivalsOf(store, items), (id) => feeds.get(id))
    count += await act(rules, arrivals, matcher, store)
    at = items.at(-1)?.seq ?? upTo
    await reached(at)
  }
  return count
}

async function matcherOf(rules: readonly ItemRule[], store: RuleStore, access: ReadAccess): Promise<Matcher> {
  const roles = new Map((await store.users()).map(({ id, role }) => [id, role]))
  const view = await access()
  const detectLanguage = await loadLanguageDetector()
  const matcher = new Matcher({ detectLanguage })
  for (const rule of rules) {
    const origin = mayRead(rule, view, (id) => roles.get(id) ?? null) ? await ruleOrigin(rule, store) : null
    if (origin !== null && rule.action !== 'tag') matcher.add(idOf(rule), ruleQuery(origin, rule.words))
  }
  return matcher
}

/** Beside the names of query feeds, which have no colon. */
function idOf({ id }: ItemRule): string {
  return `rule:${id}`
}

/** A muted item is read, and no other rule of its user says anything of it. */
async function act(
  rules: readonly ItemRule[],
  arrivals: readonly FeedArrival[],
  matcher: Matcher,
  store: RuleStore,
): Promise<number> {
  const byId = new Map(rules.map((rule) => [idOf(rule), rule]))
  const read = new Map<UserId, Set<ItemSeq>>()
  const starred = new Map<UserId, Set<ItemSeq>>()
  let count = 0
  for (const arrival of arrivals) {
    const matched = matcher.matchArrival(arrival).flatMap((id) => byId.get(id) ?? [])
    const mutes = new Set(matched.filter(({ action }) => action === 'mute').map(({ userId }) => userId))
    for (const { userId, action } of matched) {
      if (action !== 'star') addTo(read, userId, arrival.item.seq)
      else if (!mutes.has(userId)) addTo(starred, userId, arrival.item.seq)
    }
    if (matched.length > 0) count += 1
  }
  for (const [userId, seqs] of read) await store.markItems(userId, [...seqs], { isRead: true })
  for (const [userId, seqs] of starred) await store.markItems(userId, [...seqs], { isStarred: true })
  return count
}

function addTo(seqs: Map<UserId, Set<ItemSeq>>, userId: UserId, seq: ItemSeq): void {
  const known = seqs.get(userId)
  if (known === undefined) seqs.set(userId, new Set([seq]))
  else known.add(seq)
}

export function rulesLayer(deps: RuleDeps, clock: Clock): Layer {
  const action = () => followWithRules(deps)
  return {
    name: 'rules',
    healthyAfterMs: null,
    run: repeat({ clock, everyMs: LOOK_EVERY_MS, action, alsoAtEnd: false }),
  }
}
