import type { AttackClass } from '../attack.ts'
import { atRest } from './at-rest.ts'
import { bombs } from './bombs.ts'
import { bruteForce } from './brute-force.ts'
import { clock } from './clock.ts'
import { csrf } from './csrf.ts'
import { disk } from './disk.ts'
import { doors } from './doors.ts'
import { dripAttack } from './drip.ts'
import { flood } from './flood.ts'
import { greedy } from './greedy.ts'
import { heap } from './heap.ts'
import { kills } from './kills.ts'
import { longItems } from './long-items.ts'
import { members } from './members.ts'
import { queries } from './queries.ts'
import { requests } from './requests.ts'
import { ssrf } from './ssrf.ts'
import { supervision } from './supervision.ts'
import { traversal } from './traversal.ts'
import { uploads } from './uploads.ts'
import { xss } from './xss.ts'

/** All classes, in the order in which they run. */
export const ATTACKS: readonly AttackClass[] = [
  ssrf,
  xss,
  csrf,
  members,
  traversal,
  bruteForce,
  bombs,
  requests,
  queries,
  uploads,
  doors,
  atRest,
  supervision,
  kills,
  greedy,
  flood,
  disk,
  dripAttack,
  clock,
  heap,
  longItems,
]
