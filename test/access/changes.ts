import { alter, create, drop, hide, send, share } from './feed-changes.ts'
import {
  changePassword,
  endSession,
  listenToEvents,
  logIn,
  makeFeedToken,
  makeToken,
  removeUser,
  revokeTokens,
} from './people-changes.ts'
import type { AccessWorld } from './world.ts'

/** How often each is done, against the others. */
const CHANGES: readonly (readonly [number, (world: AccessWorld) => Promise<void>])[] = [
  [6, create],
  [5, share],
  [2, drop],
  [2, alter],
  [3, hide],
  [3, send],
  [3, makeToken],
  [3, makeFeedToken],
  [1, revokeTokens],
  [1, logIn],
  [1, endSession],
  [1, changePassword],
  [2, listenToEvents],
  [1, removeUser],
]

const DRAWN = CHANGES.flatMap(([times, change]) => Array.from({ length: times }, () => change))

/** Something that somebody does; the model does the same where the oracle allows it. */
export async function changeSomething(world: AccessWorld): Promise<void> {
  await world.pick(DRAWN)(world)
}
