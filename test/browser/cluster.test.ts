import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshFeed } from '../support/fresh-feed.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { type TestDatabase, testDatabase } from '../support/postgres.ts'
import { CHROMIUM, openPage, seriousViolations, WITHOUT_CHROMIUM } from './chromium.ts'
import { tooWide } from './in-page.ts'
import { enter, type NodeClient } from './node-client.ts'
import { createBrowserStage, NEAR } from './stage.ts'

describe.skipIf(CHROMIUM === null)(`the page of a cluster${WITHOUT_CHROMIUM}`, () => {
  const stage = createBrowserStage()
  let database: TestDatabase
  let site: LocalServer
  let client: NodeClient

  beforeAll(async () => {
    database = await testDatabase()
    // Of a server that serves people; that of the tests waits for nothing.
    await database.run(`ALTER DATABASE ${database.name} SET synchronous_commit = on`)
    site = await startServer((_, response) => response.end(freshFeed(3, `look${site.requests.length}`)))
    client = await stage.openOwned(['--store', database.url, '--budget', '600/min', ...NEAR])
    await client.call('POST', '/api/sources', { url: site.url('/'), discover: false, intervalMs: 1_000 })
  })
  afterAll(async () => {
    await stage.close()
    await site?.close()
    await database?.drop()
  })

  it('shows who is there, who owns what, the price, grants, readers and spending, and follows by itself', async () => {
    const { page, complaints, context } = await openPage(stage.browser, { viewport: { width: 360, height: 740 } })
    await enter(page, stage.url, client)
    await page.goto(`${stage.url}/settings/about`)
    await page.getByRole('link', { name: 'Cluster' }).click()
    await page.getByText('All well: 1 member is at work').waitFor()
    const rows = (title: string) => page.getByRole('region', { name: title, exact: true }).getByRole('row')
    await rows('Members').filter({ hasText: 'crawler, matcher, publisher, api' }).waitFor()
    await rows('Shards and leases')
      .filter({ hasText: /crawler\s*1,024\s*1,024\s*0/ })
      .waitFor()
    await rows('Readers of new items').filter({ hasText: 'publisher' }).first().waitFor()
    await page.getByText('One server without a standby').waitFor()
    await page.getByRole('img', { name: /Requests a second of all members/ }).waitFor()
    expect([...(await seriousViolations(page)), ...(await tooWide(page))]).toEqual([])

    // A member of the version before, that was killed two minutes ago, appears without a reload.
    await database.run(
      `INSERT INTO member VALUES ('old', 'elsewhere 7', '{crawler}', '0.0.9',
         extract(epoch FROM now()) * 1000 - 3600000, extract(epoch FROM now()) * 1000 - 120000)`,
    )
    await page.getByText('elsewhere 7 has not been heard of for 2 min').waitFor()
    await rows('Members').filter({ hasText: '0.0.9' }).filter({ hasText: 'silent' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
