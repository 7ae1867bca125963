import type { SourceRow } from '../../src/api/operations/wire.ts'
import { t } from '../language/current.ts'

type Look = 'good' | 'warn' | 'bad' | 'none'

export interface StateWords {
  readonly words: string
  readonly look: Look
}

const LOOKS: Readonly<Record<SourceRow['condition'], Look>> = {
  active: 'good',
  new: 'none',
  paused: 'none',
  saturated: 'bad',
  flooding: 'warn',
  failing: 'warn',
  retired: 'bad',
}

/** A state as a person would say it. */
export function stateWords({ condition, errorCode }: Pick<SourceRow, 'condition' | 'errorCode'>): StateWords {
  const look = LOOKS[condition]
  const isTrouble = condition === 'failing' || condition === 'retired'
  const said = isTrouble && errorCode !== null ? ofCode(errorCode) : undefined
  if (said === undefined) return { words: t.states.usual[condition], look }
  // "Gone: gone for good (410)" says it twice.
  const isSaid = condition !== 'retired' || errorCode === 'HTTP_GONE'
  return { words: isSaid ? said : t.states.gone({ why: said }), look }
}

function ofCode(code: string): string | undefined {
  const words: Readonly<Record<string, string>> = t.states.ofCode
  return words[code] ?? (code.startsWith('FETCH_TIMEOUT') ? t.states.tooLate : undefined)
}
