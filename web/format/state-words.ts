import type { SourceRow } from '../../src/api/operations/wire.ts'

type Look = 'good' | 'warn' | 'bad' | 'none'

export interface StateWords {
  readonly words: string
  readonly look: Look
}

const OF_CODE: Readonly<Record<string, string>> = {
  HTTP_NOT_FOUND: 'Not there any more (404)',
  HTTP_GONE: 'Gone for good (410)',
  HTTP_TOO_MANY_REQUESTS: 'Asked us to come less often',
  HTTP_UNAVAILABLE: 'Away for now (503)',
  HTTP_UNAUTHORIZED: 'Wants a log-in (401)',
  HTTP_FORBIDDEN: 'Refuses us (403)',
  HTTP_SERVER_ERROR: 'Its server fails',
  FETCH_DNS: 'Its host is unknown',
  FETCH_CONNECT: 'Cannot be reached',
  FETCH_TLS: 'Its certificate is not valid',
  PARSE_NOT_A_FEED: 'Shows no feed any more',
  PARSE_EMPTY: 'Answers with nothing',
}

const OF_CONDITION: Readonly<Record<SourceRow['condition'], StateWords>> = {
  active: { words: 'Works well', look: 'good' },
  new: { words: 'Not looked at yet', look: 'none' },
  paused: { words: 'Paused by you', look: 'none' },
  saturated: { words: 'Too fast: items were lost', look: 'bad' },
  flooding: { words: 'Floods: takes too much room', look: 'warn' },
  failing: { words: 'Does not answer', look: 'warn' },
  retired: { words: 'Gone', look: 'bad' },
}

/** A state as a person would say it. */
export function stateWords({ condition, errorCode }: Pick<SourceRow, 'condition' | 'errorCode'>): StateWords {
  const usual = OF_CONDITION[condition]
  const isTrouble = condition === 'failing' || condition === 'retired'
  const said = isTrouble && errorCode !== null ? OF_CODE[errorCode] : undefined
  if (said !== undefined) return { ...usual, words: condition === 'retired' ? `Gone: ${said.toLowerCase()}` : said }
  if (isTrouble && errorCode?.startsWith('FETCH_TIMEOUT')) return { ...usual, words: 'Answers too late' }
  return usual
}
