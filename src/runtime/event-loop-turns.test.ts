import { describe, expect, it } from 'vitest'
import { createTurns, giveWay } from './event-loop-turns.ts'

/** A loop whose turns are taken by hand. */
function handLoop() {
  const loop = { now: 0, next: [] as (() => void)[], turns: 0 }
  const turns = createTurns(
    () => loop.now,
    (next) => loop.next.push(next),
  )
  const turn = async () => {
    loop.turns++
    for (const one of loop.next.splice(0)) one()
    for (let rest = 0; rest < 20; rest++) await undefined
  }
  return { loop, turns, turn }
}

describe('turns', () => {
  it('go on while they are short, and end when they are long', async () => {
    const { loop, turns, turn } = handLoop()
    for (let step = 0; step < 10; step++) {
      expect(turns.giveWay()).toBeUndefined()
      loop.now += 1
    }
    let went = false
    turns.giveWay()!.then(() => {
      went = true
    })
    await undefined
    expect(went).toBe(false)
    await turn()
    expect(went).toBe(true)
  })

  it('are given to those who wait one by one, in the order in which they came', async () => {
    const { loop, turns, turn } = handLoop()
    const done: string[] = []
    const walk = async (name: string) => {
      for (let step = 0; step < 3; step++) {
        await turns.giveWay()
        loop.now += 10
        done.push(`${name} in ${loop.turns}`)
      }
    }
    const walks = [walk('a'), walk('b'), walk('c')]
    for (let at = 0; at < 9; at++) await turn()
    await Promise.all(walks)
    expect(done.map((one) => one[0]).join('')).toBe('abcabcabc')
    // Nobody waits for the first step.
    const turnsTaken = done.slice(3).map((one) => one.split(' in ')[1])
    expect(new Set(turnsTaken).size).toBe(6)
  })

  it('let timers in between the steps of a chain of promises, which would else never end', async () => {
    let fired = 0
    const timer = setInterval(() => fired++, 1)
    for (let step = 0; fired < 3 && step < 5e6; step++) await giveWay()
    clearInterval(timer)
    expect(fired).toBe(3)
  })
})
