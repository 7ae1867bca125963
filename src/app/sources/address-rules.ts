import { z } from 'zod'
import type { UserId } from '../../model/index.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { type CompiledRule, checkOwnRule, type OwnRule } from '../../sources/meant/index.ts'
import { jsonState } from '../../store/node-state.ts'
import type { Store } from '../../store/store.ts'

export interface StoredRule extends OwnRule {
  /** null: for all. */
  readonly ownerId: UserId | null
}

type RuleStore = Pick<Store, 'changeState'>

const MOST_RULES = 200
const stored = z.array(
  z.object({ name: z.string(), match: z.string(), give: z.array(z.string()), ownerId: z.int().nullable() }),
)

export const ADDRESS_RULES = jsonState<readonly StoredRule[]>('address-rules', [], (value) => {
  const read = stored.safeParse(value)
  return read.success ? read.data : undefined
})

/** The rules that hold for somebody, ready for use: their own, then those for all. null: nobody who is known. */
export async function rulesFor(userId: UserId | null, store: Pick<Store, 'state'>): Promise<readonly CompiledRule[]> {
  const rules = await store.state(ADDRESS_RULES)
  const own = userId === null ? [] : rules.filter(({ ownerId }) => ownerId === userId)
  return [...own, ...rules.filter(({ ownerId }) => ownerId === null)].flatMap(usable)
}

/** What an older version let through is left out. */
function usable(rule: OwnRule): readonly CompiledRule[] {
  try {
    return [checkOwnRule(rule)]
  } catch {
    return []
  }
}

/** One of the same name and owner is replaced. Throws ADDRESS_RULE_INVALID. */
export async function addRule(rule: StoredRule, store: RuleStore): Promise<void> {
  checkOwnRule(rule)
  await store.changeState(ADDRESS_RULES, (before) => {
    const rules = before.filter((one) => !isSame(one, rule))
    if (rules.filter(({ ownerId }) => ownerId === rule.ownerId).length >= MOST_RULES) {
      throw new HeadwaterError('ADDRESS_RULE_INVALID', `there are ${MOST_RULES} already; remove one first`)
    }
    return [...rules, rule]
  })
}

/** Throws ADDRESS_RULE_NOT_FOUND. */
export async function removeRule(rule: Pick<StoredRule, 'name' | 'ownerId'>, store: RuleStore): Promise<void> {
  await store.changeState(ADDRESS_RULES, (rules) => {
    const others = rules.filter((one) => !isSame(one, rule))
    if (others.length === rules.length) throw new HeadwaterError('ADDRESS_RULE_NOT_FOUND', rule.name)
    return others
  })
}

/** Of a user who goes. */
export async function removeRulesOf(userId: UserId, store: RuleStore): Promise<void> {
  await store.changeState(ADDRESS_RULES, (rules) => {
    const others = rules.filter(({ ownerId }) => ownerId !== userId)
    return others.length < rules.length ? others : rules
  })
}

function isSame(a: Pick<StoredRule, 'name' | 'ownerId'>, b: Pick<StoredRule, 'name' | 'ownerId'>): boolean {
  return a.ownerId === b.ownerId && a.name.toLowerCase() === b.name.toLowerCase()
}
