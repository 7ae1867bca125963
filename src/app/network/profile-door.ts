import { type DurationMs, MINUTE_MS, SECOND_MS } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { OpenedData } from '../data/opened-data.ts'
import { nodeIdentity } from './identity.ts'
import { ownProfile, type ProfileDeps } from './own-profile.ts'
import { signProfile } from './profile-document.ts'

/** Made again at most so often, and sooner only where queries or access have changed. */
const GOOD_FOR_MS: DurationMs = 5 * MINUTE_MS
const AT_MOST_EVERY_MS: DurationMs = 5 * SECOND_MS

export interface ProfileDoorDeps extends ProfileDeps {
  readonly data: Pick<OpenedData, 'store' | 'vault'>
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>
}

/** The signed profile as text: however many ask at once, it is made once. */
export function createProfileDoor(deps: ProfileDoorDeps): () => Promise<string> {
  let known: { readonly text: Promise<string>; readonly revision: string; readonly madeAtMs: number } | null = null
  return async () => {
    const ageMs = known === null ? Number.POSITIVE_INFINITY : deps.clock.monotonicMs() - known.madeAtMs
    if (known !== null && ageMs < AT_MOST_EVERY_MS) return known.text
    const revision = await revisionOf(deps)
    if (known !== null && known.revision === revision && ageMs < GOOD_FOR_MS) return known.text
    const text = makeProfile(deps)
    known = { text, revision, madeAtMs: deps.clock.monotonicMs() }
    // A failure is told to who asked, and tried again by who asks next.
    text.catch(() => {
      if (known?.text === text) known = null
    })
    return text
  }
}

/** Of feeds, and of what strangers may not open. */
async function revisionOf({ store, access }: ProfileDeps): Promise<string> {
  const revision = await store.queryRevision()
  return `${revision} ${[...(await access()).hidden].join(' ')}`
}

async function makeProfile(deps: ProfileDoorDeps): Promise<string> {
  const identity = await nodeIdentity(deps.data)
  return signProfile(await ownProfile(identity, deps), identity)
}
