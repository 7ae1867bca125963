import { describe, expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { demoPlans, startDemoWorld } from './demo.ts'
import { startDemoForServe } from './demo-for-serve.ts'
import { publications } from './publication.ts'

describe('the demo world', () => {
  const plans = demoPlans()

  it('has about sixty feeds with names of their own, in nested folders and several formats', () => {
    expect(plans.length).toBeGreaterThanOrEqual(55)
    expect(new Set(plans.map((plan) => plan.title)).size).toBe(plans.length)
    expect(plans.some((plan) => plan.category?.includes('/'))).toBe(true)
    expect(new Set(plans.map((plan) => plan.habits.format)).size).toBe(5)
  })

  it('has something new every few seconds', () => {
    const from = Date.UTC(2030, 3, 3)
    // An hour of the world is a minute of ours; the flooding feed does not count.
    const perMinute = plans
      .filter((plan) => plan.windowItems === 20)
      .map(
        (plan, index) => [...publications(plan.publication, 7, index).between(from, from + 24 * HOUR_MS)].length / 24,
      )
      .reduce((sum, count) => sum + count, 0)
    expect(perMinute).toBeGreaterThan(10)
    expect(perMinute).toBeLessThan(60)
  })

  it('has feeds that fail and one that floods its window', () => {
    expect(plans.filter((plan) => plan.fault !== null).length).toBeGreaterThanOrEqual(2)
    const flood = plans.findIndex((plan) => plan.windowItems < 20)
    const from = Date.UTC(2030, 3, 3)
    const inHour = [...publications(plans[flood]!.publication, 7, flood).between(from, from + HOUR_MS)].length
    expect(inHour).toBeGreaterThan(2 * plans[flood]!.windowItems)
  })

  it('writes believable headlines and goes on where it would be after a restart', async () => {
    const world = await startDemoWorld(systemClock)
    const titles = Array.from({ length: world.feedCount }, (_, i) => world.truth(i).map((item) => item.title)).flat()
    expect(titles.filter((title) => /[{}|]|undefined/.test(title))).toEqual([])
    const now = world.now()
    await world.close()
    const again = await startDemoWorld(systemClock)
    expect(again.now() - now).toBeGreaterThanOrEqual(0)
    expect(again.now() - now).toBeLessThan(10 * MINUTE_MS * 60)
    await again.close()
  })

  it('is handed to the node as sources', async () => {
    const demo = await startDemoForServe({ clock: systemClock })
    const second = await startDemoForServe({ clock: systemClock })
    expect(demo.sources).toHaveLength(plans.length)
    expect(new Set([...demo.sources, ...second.sources].map((source) => source.url)).size).toBe(2 * plans.length)
    await Promise.all([demo.close(), second.close()])
  })
})
