import { DAY_MS, type DurationMs } from '../../src/model/index.ts'
import { MAX_INTERVAL_MS } from '../../src/refresh/default-limits.ts'
import type { AnyEstimator } from '../../src/refresh/estimator.ts'
import { ESTIMATORS, hybrid } from '../../src/refresh/estimators/index.ts'
import type { ForesightTables } from '../../src/refresh/strategies/foresight/index.ts'
import { findStrategy, STRATEGIES } from '../../src/refresh/strategies/index.ts'
import type { AnyPricedStrategy } from '../../src/refresh/strategy.ts'
import { ABLATION_IDS, ablation } from './ablations.ts'
import { type DailyPatterns, learntEstimator } from './learnt.ts'

/** Learning phase of every comparison (traces/README). */
export const LEARNING_MS = 14 * DAY_MS

/** The strategy that the others are compared with. */
export const OURS = 'foresight'

/** Ours, whole or with a part left out. */
export function isOwnPolicy(policy: string): boolean {
  return policy === OURS || ABLATION_IDS.includes(policy)
}

/** Ours waits no longer than a node lets it. Peers and papers have the limits that they were published with. */
export function maxIntervalOf(policy: string): { readonly maxIntervalMs?: DurationMs } {
  return isOwnPolicy(policy) ? { maxIntervalMs: MAX_INTERVAL_MS } : {}
}

/** The strongest of the papers' policies: classes and dates are compared with it. */
export const STRONGEST = 'scc07-combined'

/** No policy: knows all publication times in advance. */
export const LIMIT = 'clairvoyant'

/** The peers and papers that every comparison names, from the limit to the simplest. */
export const NAMED_IDS: readonly string[] = [
  LIMIT,
  OURS,
  STRONGEST,
  'two-steps',
  'lambdacrawl',
  'azar',
  'advarss',
  'miniflux',
  'freshrss',
  'commafeed',
  'newsblur',
  'mediacloud',
  'nutch',
  'stormcrawler',
  'uniform',
]

/** Readers and crawlers that people run. */
const PEER_IDS: readonly string[] = [
  'miniflux',
  'freshrss',
  'commafeed',
  'newsblur',
  'mediacloud',
  'nutch',
  'stormcrawler',
]

const SHIPPED = ' as shipped'

/** The peers with their own limits and their own number of requests: no factor makes them meet a budget. */
export const SHIPPED_IDS: readonly string[] = PEER_IDS.map((id) => `${id}${SHIPPED}`)

/** The peer of such a policy; null: it is another. */
export function shippedPeer(id: string): string | null {
  return id.endsWith(SHIPPED) ? id.slice(0, -SHIPPED.length) : null
}

/** SCC07 and CGM03 as SCC07 4.2 to 4.5 ran them (learnt.ts). */
export const FROM_HISTORY: ReadonlySet<string> = new Set(
  STRATEGIES.filter(({ usualEstimator }) => usualEstimator === 'posting-clusters').map(({ id }) => id),
)

/** `reference` knows no budget. */
const NOT_COMPARED = new Set(['reference'])

export const POLICY_IDS: readonly string[] = [
  ...STRATEGIES.map(({ id }) => id).filter((id) => !NOT_COMPARED.has(id)),
  LIMIT,
]

/** All that can be asked for by name. */
export const KNOWN_IDS: readonly string[] = [...POLICY_IDS, ...ABLATION_IDS]

/** The model of thesis 7.2.3, learnt online. */
export function onlineEstimator(): AnyEstimator {
  return hybrid()
}

/** What the learning days taught about all sources together. */
export interface LearntTogether {
  readonly patterns: DailyPatterns
  readonly tables: ForesightTables
}

export function pricedPolicy(id: string, { patterns, tables }: LearntTogether): AnyPricedStrategy | null {
  const part = ablation(id, tables)
  if (part !== null) return part
  const entry = findStrategy(id)
  if (entry?.priced === undefined) return null
  if (!FROM_HISTORY.has(id)) return entry.priced(ESTIMATORS[entry.usualEstimator](), { tables })
  // The longest wait of *scheduling only* is that of uniform (SCC07 Table 1) as long as its moments stay.
  return entry.priced(learntEstimator(patterns, id === 'scc07-scheduling' ? 'stays' : 'daily'))
}
