import { t } from '../../language/current.ts'
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
const allGroups = (): readonly PolicyGroup[] => [
  {
    title: t.lab.ours,
    policies: [{ id: 'foresight', words: t.lab.foresight }],
  },
  {
    title: t.lab.published,
    policies: [
      { id: 'two-steps', words: t.lab.twoSteps },
      { id: 'only-tau', words: t.lab.onlyTau },
      { id: 'only-sat', words: t.lab.onlySat },
      { id: 'scc07-allocation', words: t.lab.scc07Allocation },
      { id: 'scc07-scheduling', words: t.lab.scc07Scheduling },
      { id: 'scc07-combined', words: t.lab.scc07Combined },
      { id: 'cgm03-age', words: t.lab.cgm03Age },
      { id: 'cgm03-freshness', words: t.lab.cgm03Freshness },
      { id: 'lambdacrawl', words: t.lab.lambdacrawl },
      { id: 'azar', words: t.lab.azar },
      { id: 'advarss', words: t.lab.advarss },
      { id: 'adaptive-ttl', words: t.lab.adaptiveTtl },
      { id: 'top-k-utility', words: t.lab.topK },
      { id: 'reference', words: t.lab.reference },
    ],
  },
  {
    title: t.lab.readersPeopleUse,
    policies: [
      { id: 'uniform', words: t.lab.uniform },
      { id: 'uniform-random', words: t.lab.uniformRandom },
      { id: 'miniflux', words: t.lab.miniflux },
      { id: 'miniflux-round-robin', words: t.lab.minifluxRoundRobin },
      { id: 'freshrss', words: t.lab.freshrss },
      { id: 'commafeed', words: t.lab.commafeed },
      { id: 'newsblur', words: t.lab.newsblur },
      { id: 'ttrss', words: t.lab.ttrss },
      { id: 'mediacloud', words: t.lab.mediacloud },
      { id: 'feed-io', words: t.lab.feedIo },
      { id: 'nutch', words: t.lab.nutch },
      { id: 'stormcrawler', words: t.lab.stormcrawler },
    ],
  },
]

/** Those that this node knows, in their groups. */
export function policyGroups(names: readonly string[]): readonly PolicyGroup[] {
  const known = new Set(allGroups().flatMap(({ policies }) => policies.map(({ id }) => id)))
  const others = names.filter((name) => !known.has(name)).map((id) => ({ id, words: '' }))
  return [...allGroups(), { title: t.lab.others, policies: others }]
    .map((group) => ({ ...group, policies: group.policies.filter(({ id }) => names.includes(id)) }))
    .filter(({ policies }) => policies.length > 0)
}
