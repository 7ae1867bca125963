import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { eventually } from '../support/patience.ts'
import { CHROMIUM, openPage, seriousViolations, type WatchedPage, WITHOUT_CHROMIUM } from './chromium.ts'
import { tooWide } from './in-page.ts'
import { enter, type NodeClient } from './node-client.ts'
import { createBrowserStage, NEAR } from './stage.ts'

const SENTENCE = 'The ice in the north is thicker than in any year before, and ships wait for the spring. '
const PAGE = `<!doctype html><title>Ice</title><h1>Ice</h1><div class="story"><p>${SENTENCE.repeat(6)}</p>
<p class="promotion">Buy our calendar of the north.</p><p>${SENTENCE.repeat(4)}</p></div>`
const FEED = (host: string) => `<rss version="2.0"><channel><title>The north</title><link>http://${host}/</link>
<item><guid>1</guid><title>Ice</title><link>http://${host}/ice</link><description>Thick.</description></item></channel></rss>`

describe.skipIf(CHROMIUM === null)(`pages of the items of a source${WITHOUT_CHROMIUM}`, () => {
  const stage = createBrowserStage()
  let site: LocalServer
  let client: NodeClient
  let watched: WatchedPage

  beforeAll(async () => {
    site = await startServer((request, response) => {
      if (request.url === '/robots.txt') return void response.writeHead(404).end()
      if (request.url !== '/feed') return void response.setHeader('content-type', 'text/html').end(PAGE)
      response.setHeader('content-type', 'application/rss+xml').end(FEED(request.headers.host ?? ''))
    })
    client = await stage.openOwned(['--budget', '600/min', '--keep-for', '30d', ...NEAR])
    await client.call('POST', '/api/sources', { url: site.url('/feed'), pages: 'fetch' })
    watched = await openPage(stage.browser)
    await enter(watched.page, stage.url, client)
  })
  afterAll(async () => {
    await stage.close()
    await site?.close()
  })

  it('says what is stored, tries a rule on a stored page, saves and removes it', async () => {
    const { page, complaints } = watched
    const stored = async () => {
      const source = (await client.call('GET', '/api/sources/1')) as { pageSums: { fetched: number } }
      return source.pageSums.fetched === 1
    }
    expect(await eventually(stored)).toBe(true)
    await page.goto(`${stage.url}/sources/1`)
    const panel = page.getByRole('region', { name: 'Pages of its items' })
    await panel.getByText(/1 page stored, \d+\sB in all; 0 waiting.*They are kept for 30\sdays\./).waitFor()

    await panel.getByRole('button', { name: 'Make a rule for this site' }).click()
    const save = panel.getByRole('button', { name: 'Save the rule' })
    expect(await save.isDisabled()).toBe(true)
    await panel.getByLabel('Article', { exact: true }).fill('.nowhere')
    await panel.getByRole('button', { name: 'Try it' }).click()
    const preview = panel.getByRole('status', { name: 'Preview' })
    await preview
      .getByText(/content/)
      .first()
      .waitFor()
    expect(await save.isDisabled()).toBe(true)

    await panel.getByLabel('Article', { exact: true }).fill('.story')
    await panel.getByLabel('What goes before').fill('//p[@class="promotion"]')
    await panel.getByRole('button', { name: 'Try it' }).click()
    await preview.getByText('The ice in the north').waitFor()
    expect(await preview.textContent()).not.toContain('calendar')
    expect(await seriousViolations(page)).toEqual([])
    expect(await tooWide(page)).toEqual([])
    await save.click()
    await panel.getByRole('button', { name: 'Change' }).waitFor()
    const rules = async () => (await client.call('GET', '/api/site-rules')) as { rules: unknown[] }
    expect((await rules()).rules).toMatchObject([{ hosts: ['127.0.0.1'], content: ['.story'] }])

    await panel.getByRole('button', { name: 'Remove' }).click()
    await panel.getByRole('button', { name: 'Change' }).waitFor({ state: 'detached' })
    expect((await rules()).rules).toEqual([])
    expect(complaints).toEqual([])
  })
})
