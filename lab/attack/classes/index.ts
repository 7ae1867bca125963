import type { AttackClass } from '../attack.ts'
import { traversal } from './traversal.ts'

/** All classes, in the order in which they run. */
export const ATTACKS: readonly AttackClass[] = [traversal]
