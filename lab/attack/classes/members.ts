import type { AttackClass } from '../attack.ts'
import { tryToDistinguish } from '../members/alike.ts'
import { readByApps } from '../members/apps.ts'
import { comeBack, guessIds, useRevokedKeys } from '../members/keys.ts'
import { askForNews, copy, keepAfterwards, openHiddenFeeds } from '../members/reach.ts'
import { overstep } from '../members/rights.ts'
import { openMembersScene } from '../members/scene.ts'
import { takePath, takeSource } from '../members/takeovers.ts'

/** `keepAfterwards` drops a feed that others use, `comeBack` a user: they come last. */
const ATTEMPTS = {
  overstep,
  tellApart: tryToDistinguish,
  copy,
  askForNews,
  openHidden: openHiddenFeeds,
  takeSource,
  takePath,
  guessIds,
  readByApps,
  useRevoked: useRevokedKeys,
  comeBack,
  keepAfterwards,
}

export const members: AttackClass = {
  name: 'members',
  promise:
    'No member, token or stranger sees, changes or learns of what is another’s, nor keeps a key that was taken back',
  async run(stage, effort) {
    const tally = { tries: 0, hits: [] as string[] }
    const scene = await openMembersScene(stage, effort, tally)
    const figures: Record<string, number> = {}
    for (const [name, attempt] of Object.entries(ATTEMPTS)) {
      const before = tally.tries
      await attempt(scene)
      figures[name] = tally.tries - before
    }
    return { ...tally, figures }
  },
}
