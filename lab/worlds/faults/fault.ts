/** Everything that can go wrong at the other end. A fault host `fault-<name>.localhost` shows each by URL alone. */
export const FAULTS = {
  'slow-headers': 'says nothing for delayMs, then answers well',
  drip: 'sends the body a few bytes every delayMs',
  stall: 'sends half of the body and then nothing more',
  '429': '429 without Retry-After',
  '429-seconds': '429 with Retry-After in seconds',
  '429-date': '429 with Retry-After as a date',
  '503': '503 with Retry-After in seconds',
  '503-date': '503 with Retry-After as a date',
  '500': '500',
  '403': '403',
  '404': '404',
  '410': '410',
  '401': '401 unless reader:secret is given as basic auth',
  truncated: 'announces more bytes than it sends, then closes',
  'cut-xml': 'a complete answer whose document ends in the middle of an item',
  'gzip-bomb': 'a small gzip that grows to sizeBytes',
  'bad-gzip': 'says gzip, sends something else',
  deep: 'elements nested depth times',
  'entity-bomb': 'entities that expand a billion times',
  'redirect-loop': 'a redirects to b, b to a',
  'redirect-chain': 'hops redirects, then the feed',
  'redirect-private': 'redirects to a private address',
  'redirect-nowhere': 'a redirect without Location',
  '301': 'moved for good to ?moved=1',
  '308': 'moved for good to ?moved=1',
  '302': 'for now at ?moved=1',
  'wrong-charset': 'announces utf-8, sends windows-1252',
  endless: 'a feed that never ends',
  reset: 'resets the connection at once',
  'reset-body': 'resets the connection in the middle of the body',
  empty: '200 with nothing in it',
  html: 'a page instead of the feed',
  'not-http': 'answers with something that is not HTTP',
  flapping: 'fails failures of every `of` times with 500',
  hang: 'says nothing for delayMs, then closes the connection',
  pdf: 'a PDF instead of what was asked for',
} as const

export type FaultName = keyof typeof FAULTS

export interface FaultSpec {
  readonly name: FaultName
  readonly delayMs?: number
  readonly retryAfterS?: number
  readonly sizeBytes?: number
  readonly depth?: number
  readonly hops?: number
  readonly failures?: number
  readonly of?: number
}

export const FAULT_DEFAULTS = {
  'slow-headers': 60_000,
  drip: 500,
  hang: 120_000,
  retryAfterS: 120,
  sizeBytes: 100 * 1024 * 1024,
  depth: 100_000,
  hops: 30,
  failures: 2,
  of: 3,
} as const

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name)
}

const NUMBERS = ['delayMs', 'retryAfterS', 'sizeBytes', 'depth', 'hops', 'failures', 'of'] as const

/** From a name and loose numbers, as they come in a query string or a control message; null if there is no such fault. */
export function readFault(name: string, value: (key: string) => unknown): FaultSpec | null {
  if (!isFaultName(name)) return null
  const spec: { name: FaultName } & Partial<Record<(typeof NUMBERS)[number], number>> = { name }
  for (const key of NUMBERS) {
    const entry = value(key)
    const number = entry === null || entry === undefined || entry === '' ? Number.NaN : Number(entry)
    if (Number.isFinite(number) && number >= 0) spec[key] = number
  }
  return spec
}
