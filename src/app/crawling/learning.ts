import { DAY_MS } from '../../model/index.ts'
import type { LearningPlan, LearningWay } from '../../refresh/learning/plan.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import { type Phrase, phrase } from '../../runtime/phrase.ts'
import type { Config } from '../settings/config.ts'

export type LearningSettings = Pick<Config, 'learning' | 'learningShare' | 'exploreShare' | 'learnFor' | 'learnEvery'>

/** Of the budget, where nothing is said: with periods of learning all of it while one lasts. */
const USUAL_SHARE: Readonly<Record<LearningWay, number>> = { online: 0, separate: 0.2, freeze: 1, repeated: 1 }
/** All days of the week. */
const USUAL_LEARN_MS = 7 * DAY_MS
const USUAL_ROUND_MS = 28 * DAY_MS

/** How the node learns, from what the user said; throws USAGE where that does not go together. */
export function learningPlan(settings: LearningSettings): LearningPlan {
  const { learning: way, exploreShare, learnFor, learnEvery } = settings
  const share = settings.learningShare ?? USUAL_SHARE[way]
  const hasPeriods = way === 'freeze' || way === 'repeated'
  const learnMs = hasPeriods ? (learnFor ?? USUAL_LEARN_MS) : null
  const everyMs = way === 'repeated' ? (learnEvery ?? USUAL_ROUND_MS) : null
  const plan: LearningPlan = { way, share, exploreShare, learnMs, everyMs }
  const wrong = wrongWith(plan, settings)
  if (wrong !== null) throw new HeadwaterError('USAGE', wrong)
  return plan
}

function wrongWith(plan: LearningPlan, { learnFor, learnEvery }: LearningSettings): Phrase | null {
  const { way, share, learnMs, everyMs } = plan
  if (learnFor !== undefined && learnMs === null) {
    return phrase`setting learnFor: with learning ${way} there are no periods of learning; choose freeze or repeated`
  }
  if (learnEvery !== undefined && everyMs === null) {
    return phrase`setting learnEvery: with learning ${way} no period of learning is repeated; choose repeated`
  }
  if (learnMs !== null && !(learnMs > 0))
    return phrase`setting learnFor: a period of learning takes longer than nothing`
  if (way !== 'online' && !(share > 0)) {
    return phrase`setting learningShare: with learning ${way} nothing would be learnt from 0 of the budget`
  }
  if (way === 'online' && share > 1) return phrase`setting learningShare: online it is a part of the budget, at most 1`
  if (way === 'separate' && share >= 1) {
    return phrase`setting learningShare: with learning separate it leaves something for refreshing, so it is less than 1`
  }
  if (everyMs !== null && learnMs !== null && learnMs * Math.max(1, share) >= everyMs) {
    return phrase`setting learnEvery: a round must be longer than learnFor × learningShare, or it leaves nothing for refreshing`
  }
  return null
}
