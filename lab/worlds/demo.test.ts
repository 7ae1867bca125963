import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../src/model/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { demoPlans, startDemoWorld } from './demo.ts'
import { worldItem } from './items.ts'
import { publications } from './publication.ts'

describe('the demo world', () => {
  const plans = demoPlans()

  it('has about sixty feeds with names of their own, in nested folders and several formats', () => {
    expect(plans.length).toBeGreaterThanOrEqual(55)
    expect(new Set(plans.map((plan) => plan.title)).size).toBe(plans.length)
    expect(plans.some((plan) => plan.category?.includes('/'))).toBe(true)
    expect(new Set(plans.map((plan) => plan.habits.format)).size).toBe(5)
  })

  it('has something new every few minutes', () => {
    const from = Date.UTC(2030, 3, 3)
    // The flooding feed does not count.
    const perHour = plans
      .filter((plan) => plan.windowItems === 20)
      .map(
        (plan, index) => [...publications(plan.publication, 7, index).between(from, from + 24 * HOUR_MS)].length / 24,
      )
      .reduce((sum, count) => sum + count, 0)
    expect(perHour).toBeGreaterThan(10)
    expect(perHour).toBeLessThan(60)
  })

  it('has feeds that fail and one that floods its window', () => {
    expect(plans.filter((plan) => plan.fault !== null).length).toBeGreaterThanOrEqual(3)
    const flood = plans.findIndex((plan) => plan.windowItems < 20)
    const from = Date.UTC(2030, 3, 3)
    const inHour = [...publications(plans[flood]!.publication, 7, flood).between(from, from + HOUR_MS)].length
    expect(inHour).toBeGreaterThan(2 * plans[flood]!.windowItems)
  })

  it('writes believable headlines', async () => {
    const world = await startDemoWorld(systemClock)
    const titles = Array.from({ length: world.feedCount }, (_, i) => world.truth(i).map((item) => item.title)).flat()
    expect(titles.filter((title) => /[{}|]|undefined/.test(title))).toEqual([])
    await world.close()
  })

  it('writes items that read as written: each in sentences of its desk, none twice', () => {
    const from = Date.UTC(2030, 3, 3)
    for (const [index, plan] of plans.entries()) {
      if (plan.stories === undefined) continue
      const context = { seed: 7, feedIndex: index, plan, siteUrl: 'http://a.example/' }
      for (const publication of publications(plan.publication, 7, index).between(from, from + 6 * HOUR_MS)) {
        const { html } = worldItem(publication, null, context)
        const paragraphs = html.match(/<p>[^<]+<\/p>/g) ?? []
        expect(paragraphs.length).toBeGreaterThan(0)
        expect(html).not.toMatch(/[{}|]|undefined/)
        const sentences = paragraphs.flatMap((text) => text.slice(3, -4).split(/(?<=[.?!”]) +(?=\S{4})/))
        expect(new Set(sentences).size).toBe(sentences.length)
      }
    }
  })
})
