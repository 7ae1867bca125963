import { leftOut } from '../ablations.ts'
import { NAMED_IDS } from '../policies.ts'

const NAMES: Readonly<Record<string, string>> = {
  clairvoyant: 'clairvoyant limit',
  foresight: 'foresight (ours)',
  'scc07-combined': 'SCC07 combined',
  'two-steps': '2Steps',
  lambdacrawl: 'LambdaCrawl',
  azar: 'Azar et al.',
  advarss: 'advaRSS',
  miniflux: 'Miniflux',
  freshrss: 'FreshRSS',
  commafeed: 'CommaFeed',
  newsblur: 'NewsBlur',
  mediacloud: 'Media Cloud',
  nutch: 'Nutch',
  stormcrawler: 'StormCrawler',
}

/** As people call it; others keep the name by which the command takes them. */
export function policyName(id: string): string {
  const without = leftOut(id)
  return without === undefined ? (NAMES[id] ?? id) : `without ${without}`
}

/** Those that every comparison names first, in their order, then the others. */
export function orderPolicies(ids: Iterable<string>): string[] {
  const all = [...new Set(ids)]
  return [...NAMED_IDS.filter((id) => all.includes(id)), ...all.filter((id) => !NAMED_IDS.includes(id))]
}
