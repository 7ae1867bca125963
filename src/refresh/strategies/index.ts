import { estimatedDivergence } from '../divergence.ts'
import type { AnyEstimator } from '../estimator.ts'
import type { EstimatorId } from '../estimators/index.ts'
import type { AnyPricedStrategy, CycleStrategy, LearntModel } from '../strategy.ts'
import { adaptiveTtl } from './adaptive-ttl.ts'
import { advarss, advarssCycle, advarssModel } from './advarss.ts'
import { cgm03Age, cgm03Freshness } from './cgm03.ts'
import { azar, lambdacrawl } from './crawl-indices.ts'
import { foresight, type SharedTables } from './foresight/index.ts'
import { onlySat, onlySatCycle } from './only-sat.ts'
import { onlyTau, onlyTauCycle } from './only-tau.ts'
import { commafeed } from './peers/commafeed.ts'
import { nutch, stormcrawler } from './peers/crawlers.ts'
import { feedIo } from './peers/feed-io.ts'
import { freshrss, minifluxRoundRobin, ttrss, ttrssCycle } from './peers/fixed.ts'
import { mediacloud } from './peers/mediacloud.ts'
import { miniflux } from './peers/miniflux.ts'
import { newsblur } from './peers/newsblur.ts'
import { referenceCycle } from './reference.ts'
import { scc07Allocation, scc07Combined, scc07Scheduling } from './scc07.ts'
import { topKUtilityCycle } from './top-k-utility.ts'
import { twoSteps, twoStepsCycle } from './two-steps.ts'
import { uniform, uniformCycle } from './uniform.ts'
import { uniformRandom } from './uniform-random.ts'

export type AnyCycleStrategy = CycleStrategy<unknown, unknown>

/** What may be learnt of all sources together, in the background (../shared-models.ts). */
export type SharedPart = 'tables' | 'clusters'

/** A strategy by its id, in the forms it has. Those that believe in a publication model take an estimator. */
export interface StrategyEntry {
  readonly id: string
  readonly title: string
  /** `estimator`: decides from a publication model. `none`: from its own observations, or from nothing. */
  readonly needs: 'estimator' | 'none'
  /** What its authors decide from; the thesis's own model where they leave it open. */
  readonly usualEstimator: EstimatorId
  /** `shared`: tables over all sources that somebody rebuilds now and then; only strategies that know such look at it. */
  readonly priced?: (estimator: AnyEstimator, shared?: SharedTables) => AnyPricedStrategy
  /** What it learns of all sources together, beside what its estimator does; absent: nothing. */
  readonly shares?: SharedPart
  /** In cycles, as the papers run it; absent: it has no such form. */
  readonly cycle?: (estimator: AnyEstimator) => AnyCycleStrategy
  /** A node runs it in runs of its own, whatever the threshold; its priced form is for comparison at equal budgets. */
  readonly inRuns?: { readonly model: LearntModel<unknown>; readonly cycle: AnyCycleStrategy }
}

const plain = (strategy: AnyPricedStrategy, title: string): StrategyEntry => ({
  id: strategy.id,
  title,
  needs: 'none',
  usualEstimator: 'hybrid',
  priced: () => strategy,
})

const modelled = (
  id: string,
  title: string,
  priced: StrategyEntry['priced'],
  cycle?: StrategyEntry['cycle'],
): StrategyEntry => ({
  id,
  title,
  needs: 'estimator',
  usualEstimator: 'hybrid',
  ...(priced ? { priced } : {}),
  ...(cycle ? { cycle } : {}),
})

/** SCC07 4.2 to 4.5 ran its own policies and CGM03's from 14 days of history, with the pattern of a cluster. */
const fromHistory = (id: string, title: string, priced: StrategyEntry['priced']): StrategyEntry => ({
  ...modelled(id, title, priced),
  usualEstimator: 'posting-clusters',
})

/** Crawlers of pages: they see whether a page changed, not how many items are new. */
const fromChanges = (id: string, title: string, priced: StrategyEntry['priced']): StrategyEntry => ({
  ...modelled(id, title, priced),
  usualEstimator: 'changed-or-not',
})

/** Every strategy: ours, those of the papers, and those of other aggregators. */
export const STRATEGIES: readonly StrategyEntry[] = [
  {
    id: 'foresight',
    title: 'delay and loss at one price, looking ahead (ours)',
    needs: 'none',
    usualEstimator: 'hybrid',
    priced: (_estimator, shared) => foresight(shared),
    shares: 'tables',
  },
  { ...plain(uniform, 'every source equally often'), cycle: () => uniformCycle },
  plain(uniformRandom, 'irregular intervals around one mean'),
  {
    id: 'reference',
    title: 'everything, every cycle',
    needs: 'none',
    usualEstimator: 'hybrid',
    cycle: () => referenceCycle,
  },
  modelled('two-steps', 'saturated sources first, then utility above τ (thesis 4.2)', twoSteps, (estimator) =>
    twoStepsCycle(estimatedDivergence(estimator)),
  ),
  modelled('only-tau', 'utility above τ (thesis 4.1)', onlyTau, (estimator) =>
    onlyTauCycle(estimatedDivergence(estimator)),
  ),
  modelled('only-sat', 'full windows only (thesis 4.4.2)', onlySat, (estimator) =>
    onlySatCycle(estimatedDivergence(estimator)),
  ),
  modelled('top-k-utility', 'the b of highest utility (2010 paper)', undefined, (estimator) =>
    topKUtilityCycle(estimatedDivergence(estimator)),
  ),
  fromHistory('scc07-allocation', 'requests by the root of the rate (SCC07 Theorem 1)', scc07Allocation),
  fromHistory('scc07-scheduling', 'the best moments of the day (SCC07 Theorem 3)', scc07Scheduling),
  fromHistory('scc07-combined', 'both of SCC07', scc07Combined),
  fromHistory('cgm03-age', 'optimal age (Cho & Garcia-Molina)', cgm03Age),
  fromHistory('cgm03-freshness', 'optimal freshness (Cho & Garcia-Molina)', cgm03Freshness),
  fromChanges('lambdacrawl', 'harmonic staleness (Kolobov et al. 2019)', lambdacrawl),
  fromChanges('azar', 'binary freshness by one index (Azar et al. 2018)', azar),
  {
    ...plain(advarss, 'M, T, ToE (advaRSS)'),
    inRuns: { model: advarssModel as LearntModel<unknown>, cycle: advarssCycle as AnyCycleStrategy },
  },
  plain(adaptiveTtl, 'a tenth of the age of the last item'),
  plain(minifluxRoundRobin, 'Miniflux round_robin'),
  plain(miniflux, 'Miniflux entry_frequency'),
  plain(freshrss, 'FreshRSS'),
  plain(commafeed, 'CommaFeed'),
  plain(newsblur, 'NewsBlur'),
  { ...plain(ttrss, 'tt-rss'), cycle: () => ttrssCycle },
  plain(mediacloud, 'Media Cloud rss-fetcher'),
  plain(feedIo, 'feed-io'),
  plain(nutch, 'Nutch adaptive'),
  plain(stormcrawler, 'StormCrawler adaptive'),
]

/** The strategy of this id; undefined: there is none. */
export function findStrategy(id: string): StrategyEntry | undefined {
  return STRATEGIES.find((entry) => entry.id === id)
}
