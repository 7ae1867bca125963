import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { CHROMIUM, openPage, type WatchedPage, WITHOUT_CHROMIUM } from './chromium.ts'
import { dropFile } from './in-page.ts'
import { enter, OWNER } from './node-client.ts'
import { answerAsSite } from './small-site.ts'
import { createBrowserStage, NEAR } from './stage.ts'

const LISTED = 700

describe.skipIf(CHROMIUM === null)(`keeping a node${WITHOUT_CHROMIUM}`, () => {
  const stage = createBrowserStage()
  const saved = join(stage.folder, 'saved.db')
  let site: LocalServer
  let watched: WatchedPage

  beforeAll(async () => {
    site = await startServer(answerAsSite)
    const client = await stage.openOwned(['--budget', '600/min', ...NEAR])
    watched = await openPage(stage.browser)
    await enter(watched.page, stage.url, client)
  })
  afterAll(async () => {
    await stage.close()
    await site?.close()
  })

  it('finds the feed of a site, shows what is in it, and follows it', async () => {
    const { page } = watched
    await page.goto(`${stage.url}/sources`)
    await page.getByRole('button', { name: 'Add a source' }).click()
    await page.getByLabel('Address of a site or feed').fill(site.url('/'))
    await page.getByLabel('Folder').fill('Ships/Baltic')
    await page.getByRole('button', { name: 'Look for feeds' }).click()
    await page.getByRole('heading', { name: 'The harbour' }).waitFor()
    await page.getByText('harbour 3').waitFor()
    await page.getByRole('button', { name: 'Follow', exact: true }).click()
    await page.getByRole('link', { name: 'Followed' }).click()
    await page.getByRole('heading', { name: 'The harbour' }).waitFor()
    await page.locator('.state.good', { hasText: 'Works well' }).waitFor()
  })

  it('edits it: another name, category and weight', async () => {
    const { page } = watched
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit the source' })
    await dialog.getByLabel('Name').fill('Old harbour')
    await dialog.getByLabel('Folders').fill('Ships/North')
    await dialog.getByLabel('Weight').fill('3')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Old harbour' }).waitFor()
    await page.getByText('Ships/North').first().waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.locator('.state', { hasText: 'Paused by you' }).waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.locator('.state.good', { hasText: 'Works well' }).waitFor()
  })

  it('says how much it is trusted, with the keyboard, and keeps it', async () => {
    const { page } = watched
    await page.getByText('It counts as 3 when requests are shared out;').waitFor()
    await page.getByRole('slider').focus()
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowLeft')
    await page.getByText('Your trust in it: 50 %').waitFor()
    await page.getByText('It counts as 1.5 when requests are shared out;').waitFor()
    await page.reload()
    await page.getByText('Your trust in it: 50 %').waitFor()
  })

  it('takes a list that is dropped on it, and says how far it is', async () => {
    const { page } = watched
    await page.getByRole('link', { name: 'Sources', exact: true }).click()
    await page.getByRole('button', { name: 'Import a list' }).click()
    const outlines = Array.from(
      { length: LISTED },
      (_, i) => `<outline text="Letter box ${i}" xmlUrl="${site.url(`/box${i}.xml`)}"/>`,
    )
    const list = `<opml version="2.0"><body><outline text="Boxes">${outlines.join('')}</outline></body></opml>`
    await dropFile(page, '.drop', { name: 'list.opml', type: 'text/x-opml', text: list })
    await page.getByRole('progressbar', { name: 'Import' }).waitFor()
    await page.getByText(`${LISTED} added, 0 known already.`).waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByText(`${LISTED + 1} of ${LISTED + 1} sources`).waitFor()
    await page.getByLabel('Filter').fill('category:boxes name:"box 69"')
    await page.getByText(`11 of ${LISTED + 1} sources`).waitFor()
  })

  it('saves the whole node in one file', async () => {
    const { page } = watched
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByRole('link', { name: 'Storage', exact: true }).click()
    const coming = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download a backup' }).click()
    const download = await coming
    await download.saveAs(saved)
    expect(await download.failure()).toBeNull()
  })

  it('removes a source, and asks before', async () => {
    const { page } = watched
    await page.goto(`${stage.url}/sources/1`)
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Keep it' }).click()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByText(/its 4 items leave the archive/).waitFor()
    await page.getByRole('button', { name: 'Remove it' }).click()
    await page.getByText(`${LISTED} of ${LISTED} sources`).waitFor()
  })

  it('goes back to what was saved by itself, and asks who is there', async () => {
    const { page, complaints } = watched
    expect(complaints.splice(0)).toEqual([])
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByRole('link', { name: 'Storage', exact: true }).click()
    await page.locator('input[type=file]').setInputFiles(saved)
    await page.getByText(/with the users and passwords of that time/).waitFor()
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByText(/The backup with 701 sources .* starts again with it/).waitFor()
    // The session was there when the node was saved; who logged in later is asked again.
    await page.waitForURL(`${stage.url}/`)
    await page.getByText(/ of 701 feeds are archived/).waitFor()
    await page.goto(`${stage.url}/sources/1`)
    await page.getByRole('heading', { name: 'Old harbour' }).waitFor()
    await page.getByText('Your trust in it: 50 %').waitFor()
    // While the node was away, the page could not ask it.
    complaints.length = 0
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByLabel('Name').fill(OWNER.name)
    await page.getByLabel('Password').fill(OWNER.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('button', { name: 'Log out' }).waitFor()
    expect(complaints).toEqual([])
  })
})
