import { describe, expect, it } from 'vitest'
import { groupCommit } from './group-commit.ts'

interface One {
  readonly sourceId: number
  readonly name: string
}

describe('a group of records', () => {
  const started = (fails: (name: string) => boolean = () => false) => {
    const groups: string[][] = []
    const commits = groupCommit(async (records: readonly One[]) => {
      groups.push(records.map(({ name }) => name))
      if (records.some(({ name }) => fails(name))) throw new Error(`refused ${records.length}`)
      return records.map(({ name }) => name.toUpperCase())
    })
    const submit = (sourceId: number, name: string) => commits.submit({ sourceId, name })
    return { groups, submit, drain: commits.drain }
  }

  it('takes what comes in one turn together, in the order of sources', async () => {
    const { groups, submit } = started()
    expect(await Promise.all([submit(2, 'b'), submit(1, 'a')])).toEqual(['B', 'A'])
    expect(groups).toEqual([['a', 'b']])
  })

  it('holds one record of each source, and later ones in their order', async () => {
    const { groups, submit } = started()
    await Promise.all([submit(1, 'a1'), submit(1, 'a2'), submit(2, 'b1'), submit(1, 'a3'), submit(2, 'b2')])
    expect(groups).toEqual([['a1', 'b1'], ['a2', 'b2'], ['a3']])
  })

  it('refuses the faulty one alone', async () => {
    const { submit } = started((name) => name === 'bad')
    const answers = await Promise.allSettled([submit(1, 'good'), submit(2, 'bad'), submit(3, 'fine')])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('is of 64 at most', async () => {
    const { groups, submit } = started()
    await Promise.all(Array.from({ length: 100 }, (_, index) => submit(index, `${index}`)))
    expect(groups.map((group) => group.length)).toEqual([64, 36])
  })

  it('says when all is done', async () => {
    const { groups, submit, drain } = started()
    void submit(1, 'a')
    void submit(1, 'b')
    await drain()
    expect(groups).toHaveLength(2)
  })
})
