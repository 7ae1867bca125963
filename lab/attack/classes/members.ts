import type { AttackClass } from '../attack.ts'
import { tellApart } from '../members/alike.ts'
import { comeBack, guessIds, useRevoked } from '../members/keys.ts'
import { takePath, takeSource } from '../members/places.ts'
import { askForNews, copy, keepAfterwards, openHidden } from '../members/reach.ts'
import { overstep } from '../members/rights.ts'
import { openScene } from '../members/scene.ts'

/** `keepAfterwards` drops a feed that others use, `comeBack` a user: they come last. */
const ATTEMPTS = {
  overstep,
  tellApart,
  copy,
  askForNews,
  openHidden,
  takeSource,
  takePath,
  guessIds,
  useRevoked,
  comeBack,
  keepAfterwards,
}

export const members: AttackClass = {
  name: 'members',
  promise:
    'No member, token or stranger sees, changes or learns of what is another’s, nor keeps a key that was taken back',
  async run(stage, effort) {
    const tally = { tries: 0, hits: [] as string[] }
    const scene = await openScene(stage, effort, tally)
    const figures: Record<string, number> = {}
    for (const [name, attempt] of Object.entries(ATTEMPTS)) {
      const before = tally.tries
      await attempt(scene)
      figures[name] = tally.tries - before
    }
    return { ...tally, figures }
  },
}
