import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../e2e/world-node.ts'
import { CHROMIUM, openPage, WITHOUT_CHROMIUM } from './chromium.ts'
import { focusedElement } from './in-page.ts'
import { enter, type NodeClient, visit } from './node-client.ts'
import { createBrowserStage } from './stage.ts'

const FIRST_LOAD_BYTES = 200_000

describe.skipIf(CHROMIUM === null)(`the pages of a lively node${WITHOUT_CHROMIUM}`, () => {
  const stage = createBrowserStage()
  let client: NodeClient

  beforeAll(async () => {
    await stage.open(['--demo'])
    client = visit(stage.url)
    const isLively = async () => {
      const { items } = (await client.call('GET', '/api/items?limit=50')) as { items: unknown[] }
      return items.length === 50
    }
    expect(await eventually(isLively)).toBe(true)
  })
  afterAll(async () => {
    await stage.close()
  })

  it('opens with the Overview of a node that has lived, not with a form', async () => {
    const { page, context } = await openPage(stage.browser)
    await page.goto(stage.url)
    const verdict = page.getByRole('heading', { level: 1 })
    await verdict.getByText(/ of 58 feeds need you\./).waitFor()
    const beside = page.locator('section', {
      has: page.getByRole('heading', { name: 'Beside polling at fixed intervals' }),
    })
    // Lateness and losses, each of both.
    await beside.getByText('This node').nth(1).waitFor()
    for (const name of ['Old Quarry Gazette', 'Tide Tables Online', 'Radio Lantern'])
      await page.locator('#need-you li').getByText(name).first().waitFor()
    await context.close()
  })

  it('can be gone through with the Tab key, which is always seen', async () => {
    const { page, context } = await openPage(stage.browser)
    await enter(page, stage.url, client)
    await page.goto(stage.url)
    await page.getByRole('heading', { name: 'Complete', exact: true }).waitFor()
    const reached: string[] = []
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press('Tab')
      const { text, outline } = await focusedElement(page)
      reached.push(text)
      expect(outline, text).not.toBe('none')
    }
    expect(reached.slice(0, 4)).toEqual(['Skip to content', 'Headwater', 'Overview', 'Read'])
    await context.close()
  })

  it('is gone through by number, and lists its keys on ?', async () => {
    const { page, complaints, context } = await openPage(stage.browser)
    await page.goto(stage.url)
    await page.getByRole('heading', { name: 'Complete', exact: true }).waitFor()
    await page.keyboard.press('4')
    await page.getByRole('heading', { name: 'Queries', exact: true }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('in a chart').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('6')
    await page.getByRole('heading', { name: 'Lab', exact: true }).waitFor()
    // Numbers that are typed are numbers.
    await page.getByLabel('Requests a day').fill('')
    await page.keyboard.type('12')
    expect(await page.getByLabel('Requests a day').inputValue()).toBe('12')
    await page.goto(`${stage.url}/new-query`)
    await page.getByRole('textbox', { name: 'Query' }).click()
    await page.keyboard.type('17?')
    await page.getByText('17?').first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/new-query')
    expect(complaints).toEqual([])
    await context.close()
  })

  it(`loads its first page with less than ${FIRST_LOAD_BYTES / 1_000} kB`, async () => {
    const { page, context } = await openPage(stage.browser)
    await enter(page, stage.url, client)
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    let bytes = 0
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await page.goto(stage.url)
    await page.getByRole('heading', { name: 'Complete', exact: true }).waitFor()
    await page.waitForTimeout(500)
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThan(FIRST_LOAD_BYTES)
    await context.close()
  })

  it('changes the budget, and makes and takes back a token', async () => {
    const { page, complaints, context } = await openPage(stage.browser)
    await enter(page, stage.url, client)
    await page.goto(`${stage.url}/settings`)
    const often = page.getByLabel('Never more often than every', { exact: true })
    await often.fill('soon')
    await page.getByText('"soonmin" is not a duration').waitFor()
    await page.getByText('1 to correct').waitFor()
    expect(await page.getByRole('button', { name: 'Save budget' }).isDisabled()).toBe(true)
    await often.fill('7')
    await page.getByLabel('Requests to spend', { exact: true }).fill('240')
    await page.getByLabel('Requests in which time').selectOption('min')
    await page.getByText('2 changes · taken over at once, no restart').waitFor()
    await page.getByRole('button', { name: 'Save budget' }).click()
    await page.getByText('Saved; the node goes on with it.').waitFor()
    await page.getByText(/of 240 requests a minute/).waitFor()
    expect(await client.call('GET', '/api/budget')).toMatchObject({ requestsPerMinute: 240, minIntervalMs: 420_000 })
    await page.getByRole('link', { name: 'Node', exact: true }).click()
    await page.getByLabel('Connections at once', { exact: true }).fill('500')
    await page.getByText('1 change · used from the next start of the node').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('link', { name: 'You', exact: true }).click()
    await page.getByLabel('What it is for').fill('my reader')
    await page.getByRole('button', { name: 'Make a token' }).click()
    await page.getByText('Your token, shown once').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'my reader' }).getByRole('button', { name: 'Take back' }).click()
    await page.getByText('my reader').waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await context.close()
  })

  it('compares strategies on its own history', async () => {
    const { page, complaints, context } = await openPage(stage.browser)
    await enter(page, stage.url, client)
    await page.goto(`${stage.url}/lab`)
    await page.getByLabel('Requests a day').fill('10, 60')
    await page.getByText('Day', { exact: true }).click()
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('rowheader', { name: 'this node' }).waitFor()
    await page.getByText(/^At .* requests a day, (foresight|uniform) is best: /).waitFor()
    expect(await page.getByRole('row').count()).toBeGreaterThanOrEqual(4)
    expect(complaints).toEqual([])
    await context.close()
  })
})
