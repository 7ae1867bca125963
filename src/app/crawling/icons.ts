import { RobotsCache } from '../../articles/robots-cache.ts'
import type { FetchRequest } from '../../crawler/fetch/fetcher.ts'
import { lookForIcons } from '../../icons/icon-worker.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import type { Config } from '../settings/config.ts'
import { userAgentOf } from '../settings/user-agent.ts'
import { type ArticlePagesDeps, ownPart, PLAIN } from './article-pages.ts'
import { PageBudget } from './page-budget.ts'

type IconLayerDeps = Omit<ArticlePagesDeps, 'openExtractor'>

/** Looks for the icons that readers are to see, with a small share of the requests. With a share of 0 there is nothing to run. */
export function iconLayers(config: Config, deps: IconLayerDeps): readonly Layer[] {
  return config.iconShare === 0 ? [] : [{ name: 'icons', run: (end) => run(config, deps, end) }]
}

async function run(config: Config, deps: IconLayerDeps, end: AbortSignal): Promise<void> {
  const { data, web, environment, disk, territory } = deps
  const { clock, random } = environment
  const budget = new PageBudget(config.budget, config.iconShare, { scheduler: deps.scheduler, clock }, territory)
  const stopFollowing = clock.onSet((byMs) => budget.shift(byMs))
  const fetch = async (request: FetchRequest) => {
    const paid = await budget.payBefore(request.signal ?? end)
    return web.polite.fetch({ ...request, onAdmitted: () => paid?.goesOut() })
  }
  const robots = new RobotsCache({
    fetch: (url, signal) => fetch({ ...PLAIN, url, signal }),
    userAgent: userAgentOf(config),
    clock,
  })
  const part = () => territory && ownPart(territory)
  const payableAt = (now: number) => budget.nextAt(now)
  try {
    await lookForIcons({ store: data.store, fetch, robots, payableAt, part, disk, clock, random }, end)
  } finally {
    stopFollowing()
  }
}
