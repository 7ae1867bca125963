import { describe, expect, it } from 'vitest'
import { groupCommit } from './group-commit.ts'

/** Records what is written in which commit; a record named `bad` makes its transaction fail. */
function recorder() {
  const commits: string[][] = []
  const batches: string[][] = []
  let open: string[] = []
  const group = groupCommit<string, string>({
    write(record) {
      if (record === 'bad') throw new Error('refused')
      open.push(record)
      return record
    },
    transaction(action) {
      open = []
      const result = action()
      commits.push(open)
      return result
    },
    translate: (error) => new Error(`translated: ${(error as Error).message}`),
    committed: (results) => batches.push([...results]),
  })
  return { group, commits, batches }
}

describe('group commit', () => {
  it('commits a single record without waiting for others, and resolves after the commit', async () => {
    const { group, commits, batches } = recorder()
    expect(await group.submit('a')).toBe('a')
    expect(commits).toEqual([['a']])
    expect(batches).toEqual([['a']])
  })

  it('lets those that come together share a commit, in their order', async () => {
    const { group, commits } = recorder()
    await Promise.all(['a', 'b'].map((record) => group.submit(record)))
    expect(commits).toEqual([['a', 'b']])
    await Promise.all(['c', 'd', 'e'].map((record) => group.submit(record)))
    expect(commits).toEqual([
      ['a', 'b'],
      ['c', 'd', 'e'],
    ])
  })

  it('does not let a stream without pauses wait for ever', async () => {
    const { group, commits } = recorder()
    await Promise.all(['a', 'b'].map((record) => group.submit(record)))
    const all = Array.from({ length: 200 }, (_, at) => group.submit(`r${at}`))
    await Promise.all(all)
    expect(commits.flat()).toHaveLength(202)
    expect(Math.max(...commits.map((commit) => commit.length))).toBeLessThanOrEqual(64)
  })

  it('refuses only the faulty one of a group', async () => {
    const { group, commits } = recorder()
    const results = await Promise.allSettled(['a', 'bad', 'c'].map((record) => group.submit(record)))
    expect(results.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(results[1]).toHaveProperty('reason.message', 'translated: refused')
    expect(commits.flat()).toEqual(['a', 'c'])
  })

  it('commits what waits at once when asked to', async () => {
    const { group, commits } = recorder()
    const waiting = ['a', 'b'].map((record) => group.submit(record))
    group.flush()
    expect(commits).toEqual([['a', 'b']])
    await Promise.all(waiting)
  })
})
