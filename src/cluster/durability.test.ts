import { describe, expect, it } from 'vitest'
import { judgeDurability, type ServerDurability } from './durability.ts'

const SINGLE: ServerDurability = { synchronousCommit: 'on', synchronousNames: '', hosts: 1, standbys: [] }
const follower = (name: string, syncState: string | null) => ({ name, syncState })

describe('what may be lost with a server', () => {
  it.each<[string, Partial<ServerDurability>, RegExp | null]>([
    ['one server', {}, null],
    ['a synchronous standby', { synchronousNames: 'ANY 1 (a)', hosts: 2, standbys: [follower('a', 'quorum')] }, null],
    ['one that is applied', { synchronousCommit: 'remote_apply', synchronousNames: 'a', hosts: 2 }, null],
    ['a standby that nobody waits for', { standbys: [follower('a', 'async')] }, /ANY 1 \(a\)/],
    ['several', { standbys: [follower('a', 'async'), follower('b-2', 'async')] }, /ANY 1 \(a, "b-2"\)/],
    // All are asynchronous where no name is given: that need not be seen of each.
    ['one of which little can be seen', { standbys: [follower('a', null)] }, /ANY 1 \(a\)/],
    ['a failover that is meant to be', { hosts: 2 }, /ANY 1 \(\*\)/],
    ['commits that wait for nothing', { synchronousCommit: 'off' }, /synchronous_commit = on/],
    [
      'commits that wait for this server',
      { synchronousCommit: 'local', synchronousNames: 'a' },
      /synchronous_commit = on/,
    ],
  ])('%s', (_name, more, remedy) => {
    const verdict = judgeDurability({ ...SINGLE, ...more })
    expect([verdict.isAtRisk, verdict.remedy]).toEqual([remedy !== null, remedy && expect.stringMatching(remedy)])
  })

  it('says what cannot be seen', () => {
    const verdict = judgeDurability({ ...SINGLE, synchronousNames: 'a', standbys: [follower('a', null)] })
    expect(verdict).toMatchObject({ isAtRisk: false, words: expect.stringContaining('cannot be seen') })
    expect(verdict.remedy).toContain('pg_monitor')
  })
})
