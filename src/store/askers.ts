import type { UserId } from '../model/index.ts'

/** Who asks for a refresh: a user, the operator (null), or a hub that says that there is news. */
export type Asker = UserId | 'push' | null

/** Users are numbered from 1 on. */
const OPERATOR = 0
const HUB = -1

export function numberOfAsker(asker: Asker): number {
  return asker === 'push' ? HUB : (asker ?? OPERATOR)
}

export function askerOf(number: number): Asker {
  if (number === HUB) return 'push'
  return number === OPERATOR ? null : number
}
