import type { AttackClass } from '../attack.ts'
import { bombs } from './bombs.ts'
import { bruteForce } from './brute-force.ts'
import { csrf } from './csrf.ts'
import { greedy } from './greedy.ts'
import { kills } from './kills.ts'
import { queries } from './queries.ts'
import { requests } from './requests.ts'
import { ssrf } from './ssrf.ts'
import { traversal } from './traversal.ts'
import { uploads } from './uploads.ts'

/** All classes, in the order in which they run. */
export const ATTACKS: readonly AttackClass[] = [
  ssrf,
  csrf,
  traversal,
  bruteForce,
  bombs,
  requests,
  queries,
  uploads,
  kills,
  greedy,
]
