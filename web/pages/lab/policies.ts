export interface Policy {
  readonly id: string
  /** What it does, in a line. */
  readonly words: string
}

interface PolicyGroup {
  readonly title: string
  readonly policies: readonly Policy[]
}

/** Every strategy in one line; a name that is not here is shown by itself under Others. */
const GROUPS: readonly PolicyGroup[] = [
  {
    title: 'Ours',
    policies: [{ id: 'foresight', words: 'weighs lateness and loss of every feed at one price, and looks ahead' }],
  },
  {
    title: 'Published',
    policies: [
      { id: 'two-steps', words: 'feeds that are about to lose items first, then the most useful' },
      { id: 'only-tau', words: 'the most useful feeds, above one threshold' },
      { id: 'only-sat', words: 'only feeds that are about to lose items' },
      { id: 'scc07-allocation', words: 'more requests for feeds that publish more, by the square root' },
      { id: 'scc07-scheduling', words: 'the best moments of the day for each feed' },
      { id: 'scc07-combined', words: 'both: how many requests, and at which moments' },
      { id: 'cgm03-age', words: 'the least age of what is stored, on average' },
      { id: 'cgm03-freshness', words: 'as many feeds up to date as possible at any moment' },
      { id: 'lambdacrawl', words: 'a crawler of pages that punishes long staleness' },
      { id: 'azar', words: 'a crawler of pages that follows one index' },
      { id: 'advarss', words: 'counts the runs between two changes of a feed, and waits as many' },
      { id: 'adaptive-ttl', words: 'a tenth of the age of the newest item, as web caches do' },
      { id: 'top-k-utility', words: 'in cycles: as many of the most useful as the budget has' },
      { id: 'reference', words: 'everything in every cycle, whatever it costs' },
    ],
  },
  {
    title: 'Readers and crawlers people use',
    policies: [
      { id: 'uniform', words: 'every feed equally often: polling at a fixed interval' },
      { id: 'uniform-random', words: 'the same with irregular intervals' },
      { id: 'miniflux', words: 'Miniflux by how often a feed publishes' },
      { id: 'miniflux-round-robin', words: 'Miniflux as it comes: in turn' },
      { id: 'freshrss', words: 'FreshRSS as it comes' },
      { id: 'commafeed', words: 'CommaFeed: by the age of the newest item' },
      { id: 'newsblur', words: 'NewsBlur: by items a day and readers' },
      { id: 'ttrss', words: 'Tiny Tiny RSS as it comes' },
      { id: 'mediacloud', words: 'Media Cloud: by how much of the feed was known already' },
      { id: 'feed-io', words: 'feed-io: by the gaps between the items of a feed' },
      { id: 'nutch', words: 'Apache Nutch: shorter after a change, longer without' },
      { id: 'stormcrawler', words: 'StormCrawler: likewise, with other steps' },
    ],
  },
]

/** Those that this node knows, in their groups. */
export function policyGroups(names: readonly string[]): readonly PolicyGroup[] {
  const known = new Set(GROUPS.flatMap(({ policies }) => policies.map(({ id }) => id)))
  const others = names.filter((name) => !known.has(name)).map((id) => ({ id, words: '' }))
  return [...GROUPS, { title: 'Others', policies: others }]
    .map((group) => ({ ...group, policies: group.policies.filter(({ id }) => names.includes(id)) }))
    .filter(({ policies }) => policies.length > 0)
}
