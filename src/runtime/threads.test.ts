import { describe, expect, it } from 'vitest'
import { createThreadPool, type ThreadPool } from './threads.ts'

/** Holds every question until it is let go. */
function openPool(options: { mostWaiting?: number; deadlineMs?: number; threads?: number; isDeaf?: boolean } = {}) {
  const started: string[] = []
  const signals: AbortSignal[] = []
  const letGo = new Map<string, (answer: string) => void>()
  const pool: ThreadPool<string, string> = createThreadPool<string, string>({
    name: 'tests',
    module: new URL(import.meta.url),
    data: null,
    mostWaiting: options.mostWaiting ?? 2,
    deadlineMs: options.deadlineMs ?? 60_000,
    threads: options.threads ?? 1,
    here: (question, signal) =>
      new Promise((resolve, reject) => {
        started.push(question)
        signals.push(signal)
        letGo.set(question, resolve)
        if (options.isDeaf !== true) signal.addEventListener('abort', () => reject(new Error('aborted')))
      }),
  })
  return { pool, started, signals, letGo: (question: string) => letGo.get(question)!(`${question}!`) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const codeOf = (error: unknown) => (error as { code?: string }).code

describe('a pool of threads', () => {
  it('answers in the order of questions, as many at once as it has threads', async () => {
    const { pool, started, letGo } = openPool({ threads: 2 })
    const answers = ['a', 'b', 'c'].map((question) => pool.ask(question))
    expect(started).toEqual(['a', 'b'])
    letGo('b')
    expect(await answers[1]).toBe('b!')
    await turn()
    expect(started).toEqual(['a', 'b', 'c'])
    letGo('c')
    letGo('a')
    expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'c!'])
  })

  it('refuses at once what would wait behind too many', async () => {
    const { pool, letGo } = openPool({ mostWaiting: 1 })
    const first = pool.ask('a')
    const second = pool.ask('b')
    expect(await pool.ask('c').catch(codeOf)).toBe('NODE_BUSY')
    letGo('a')
    await first
    await turn()
    letGo('b')
    expect(await second).toBe('b!')
  })

  it('says at the deadline that it took too long, and that it was too busy to begin', async () => {
    const { pool, started, signals } = openPool({ deadlineMs: 30, isDeaf: true })
    const [first, second] = await Promise.all([pool.ask('a').catch(codeOf), pool.ask('b').catch(codeOf)])
    expect([first, second]).toEqual(['ANSWER_TOO_LATE', 'NODE_BUSY'])
    expect([started, signals[0]!.aborted]).toEqual([['a'], true])
  })

  it('drops what nobody waits for, and goes on with the next', async () => {
    const { pool, started, signals, letGo } = openPool()
    const aborted = new AbortController()
    const first = pool.ask('a', { signal: aborted.signal }).catch(codeOf)
    const second = pool.ask('b', { signal: aborted.signal }).catch(codeOf)
    const third = pool.ask('c')
    aborted.abort()
    expect([await first, await second]).toEqual(['INTERRUPTED', 'INTERRUPTED'])
    await turn()
    expect([started, signals[0]!.aborted]).toEqual([['a', 'c'], true])
    letGo('c')
    expect(await third).toBe('c!')
  })

  it('refuses everything once it is closed', async () => {
    const { pool } = openPool()
    const waiting = [pool.ask('a'), pool.ask('b')].map((answer) => answer.catch(codeOf))
    await pool.close()
    expect(await waiting[1]).toBe('NODE_BUSY')
    expect(await pool.ask('c').catch(codeOf)).toBe('NODE_BUSY')
  })
})
