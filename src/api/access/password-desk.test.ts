import { beforeEach, describe, expect, it } from 'vitest'
import type { TryLater } from '../problem.ts'
import { PasswordQueues } from './password-desk.ts'

const hashing = { now: 0, most: 0, ends: [] as (() => void)[], order: [] as string[] }

async function hashWhenTold(password: string): Promise<string> {
  hashing.now += 1
  hashing.most = Math.max(hashing.most, hashing.now)
  hashing.order.push(password)
  await new Promise<void>((resolve) => hashing.ends.push(resolve))
  hashing.now -= 1
  if (password === 'broken') throw new Error('no memory')
  return password
}

const settle = () => new Promise((resolve) => setImmediate(resolve))
beforeEach(() => Object.assign(hashing, { now: 0, most: 0, ends: [], order: [] }))

async function endAll(): Promise<void> {
  for (await settle(); hashing.ends.length > 0; await settle()) hashing.ends.shift()!()
}

describe('the password desk', () => {
  it('hashes two at once, has eight wait, and sends the others away with a time to come back', async () => {
    const desk = new PasswordQueues(hashWhenTold)
    const all = Array.from({ length: 100 }, (_, index) =>
      desk.hash(String(index), 'strange').then(
        () => 'done',
        ({ code, retryAfterS }: TryLater) => `${code} ${retryAfterS > 0}`,
      ),
    )
    await endAll()
    const answers = await Promise.all(all)
    expect(hashing.most).toBe(2)
    expect(answers.filter((answer) => answer === 'done')).toHaveLength(10)
    expect(answers.filter((answer) => answer === 'LOGIN_BUSY true')).toHaveLength(90)
  })

  it('serves who is known before strangers, however many wait', async () => {
    const desk = new PasswordQueues(hashWhenTold)
    const strangers = Array.from({ length: 50 }, () => desk.hash('stranger', 'strange').catch(() => 'away'))
    const owner = desk.hash('owner', 'known')
    await endAll()
    expect(await owner).toBe('owner')
    expect(hashing.order.indexOf('owner')).toBe(2)
    await Promise.all(strangers)
  })

  it('goes on after a hash that failed', async () => {
    const desk = new PasswordQueues(hashWhenTold)
    const outcomes = ['broken', 'broken', 'a', 'broken', 'b'].map((one) =>
      desk.hash(one, 'known').catch(() => 'failed'),
    )
    await endAll()
    expect(await Promise.all(outcomes)).toEqual(['failed', 'failed', 'a', 'failed', 'b'])
  })
})
