import { expect, it } from 'vitest'
import type { ServerDurability } from '../../cluster/durability.ts'
import { createAlarms } from '../../runtime/alarms.ts'
import { systemClock } from '../../runtime/clock.ts'
import { watchDurability } from './durability-watch.ts'

const SAFE: ServerDurability = { synchronousCommit: 'on', synchronousNames: 'ANY 1 (b)', hosts: 2, standbys: [] }

it('warns from the first look on, and no longer when a standby is waited for', async () => {
  const looks = [{ ...SAFE, synchronousNames: '' }, SAFE]
  const alarms = createAlarms({ clock: systemClock })
  const seen: (readonly string[])[] = []
  const end = new AbortController()
  const clock = {
    ...systemClock,
    async sleep() {
      seen.push(alarms.list().map(({ code, detail }) => `${code}: ${detail}`))
      if (looks.length === 0) end.abort()
    },
  }
  const cluster = { durability: async () => looks.shift() ?? SAFE }
  const [layer] = watchDurability(cluster, { alarms, clock })
  await layer?.run(end.signal, () => {})
  expect(seen).toEqual([[expect.stringMatching(/^COMMITS_AT_RISK: .*synchronous_standby_names/)], []])
  expect(watchDurability(null, { alarms, clock })).toEqual([])
})
