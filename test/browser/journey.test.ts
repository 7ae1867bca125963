import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../../lab/worlds/server.ts'
import { CHROMIUM, openPage, type WatchedPage, WITHOUT_CHROMIUM } from './chromium.ts'
import { OWNER } from './node-client.ts'
import { createBrowserStage, NEAR } from './stage.ts'

const LIST = join(import.meta.dirname, '../../../shared/corpora/awesome-tech-rss/feeds.opml')
const HAS_LIST = existsSync(LIST)
const WITHOUT_LIST = HAS_LIST ? '' : ' (its list is generated: there is no ../shared/corpora)'

/** A list that others wrote, with its names and folders, but every feed is one of the world. */
function listFor(world: World): string {
  if (!HAS_LIST) return ''
  let index = 0
  return readFileSync(LIST, 'utf8').replace(/xmlUrl="[^"]*"/g, () => `xmlUrl="${world.feedUrl(index++)}"`)
}

describe.skipIf(CHROMIUM === null)(`the first five minutes${WITHOUT_CHROMIUM}${WITHOUT_LIST}`, () => {
  const stage = createBrowserStage()
  const feeds = HAS_LIST ? (readFileSync(LIST, 'utf8').match(/xmlUrl=/g) ?? []).length : 20
  let world: World
  let watched: WatchedPage

  beforeAll(async () => {
    world = await startWorld({ feeds, seed: 5, speed: 0, itemsPerDay: 60 })
    const list = HAS_LIST ? listFor(world) : await (await fetch(world.opmlUrl)).text()
    writeFileSync(join(stage.folder, 'list.opml'), list)
    await stage.open(['--budget', '6000/min', '--min-interval', '1s', ...NEAR])
    watched = await openPage(stage.browser)
  })
  afterAll(async () => {
    await stage.close()
    await world?.close()
  })

  it('begins with a password for the owner, and asks what to follow', async () => {
    const { page } = watched
    await page.goto(stage.url)
    await page.getByRole('heading', { name: 'Welcome to Headwater' }).waitFor()
    await page.getByLabel('Password').fill(OWNER.password)
    await page.getByRole('button', { name: 'Make it mine' }).click()
    await page.getByRole('heading', { name: 'Your first five minutes' }).waitFor()
    expect(await page.getByRole('button', { name: 'Go on' }).isDisabled()).toBe(true)
  })

  it('takes an OPML list of real names and shows its progress', async () => {
    const { page } = watched
    await page.locator('input[type=file]').setInputFiles(join(stage.folder, 'list.opml'))
    await page.getByText(/\d+ added, \d+ known already/).waitFor()
    const words = (await page.getByText(/\d+ added, \d+ known already/).textContent()) ?? ''
    expect(Number(/^(\d+) added/.exec(words)?.[1])).toBe(feeds)
    await page.getByRole('button', { name: 'Go on' }).click()
  })

  it('leads to a first query feed', async () => {
    const { page } = watched
    await page.getByLabel('Title').fill('Everything at once')
    await page.getByRole('button', { name: 'Make this feed' }).click()
    await page.getByRole('link', { name: 'Its addresses' }).click()
    await page.getByRole('heading', { name: 'Everything at once' }).waitFor()
    await page.getByRole('button', { name: 'Copy Atom' }).waitFor()
  })

  it('forgets who is there on logging out, and lets in with the right password alone', async () => {
    const { page, complaints } = watched
    expect(complaints).toEqual([])
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    await page.getByLabel('Name').fill(OWNER.name)
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('alert').waitFor()
    // A refused password is an answer of 401, which browsers write into the console by themselves.
    complaints.length = 0
    await page.getByLabel('Password').fill(OWNER.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('button', { name: 'Log out' }).waitFor()
  })

  it('fills the archive, and the table of sources shows it', async () => {
    const { page } = watched
    await page.getByRole('link', { name: 'Sources', exact: true }).click()
    await page.getByRole('table', { name: 'Sources' }).waitFor()
    await page.getByLabel('Filter').fill('items>0')
    await page.getByText(new RegExp(`^${feeds} of ${feeds} sources`)).waitFor()
    await page.getByRole('button', { name: 'Items' }).click()
    await page.getByRole('button', { name: 'Items' }).click()
    const rows = page.getByRole('table', { name: 'Sources' }).getByRole('row')
    const texts = await rows.locator('[role=cell]:nth-child(4)').allTextContents()
    const items = texts.map((text) => Number(text.replaceAll(',', '')))
    expect(items.length).toBeGreaterThan(5)
    expect(items).toEqual([...items].sort((a, b) => b - a))
  })

  it('shows a mistake under the word, its correction as a preview, and saves it', async () => {
    const { page } = watched
    await page.getByRole('link', { name: 'Queries', exact: true }).click()
    await page.getByRole('link', { name: 'New query feed' }).click()
    const editor = page.getByRole('textbox', { name: 'Query' })
    await editor.click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('CREATE FEED with-the AS RETURN ALL WHERE TITEL CONTAINS "the";')
    await page.getByText('There is no field TITEL').waitFor()
    expect(await page.locator('.cm-lintRange-error').textContent()).toBe('TITEL')
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await editor.click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('CREATE FEED with-the AS RETURN ALL WHERE ITEM CONTAINS "the";')
    await page.getByText('No mistake', { exact: true }).waitFor()
    await page.getByText(/\d[\d,]* match(es)? of [\d,]+ items?/).waitFor()
    await page.getByRole('heading', { name: 'By source' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'with-the' }).waitFor()
  })

  it('completes fields and colours words', async () => {
    const { page } = watched
    const editor = page.getByRole('textbox', { name: 'Query' })
    expect(await page.locator('.q-keyword').first().textContent()).toBe('CREATE')
    await editor.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' DESC')
    await page.getByRole('option', { name: /DESCRIPTION/ }).waitFor()
    await page.keyboard.press('Escape')
  })

  it('publishes the feed at the addresses shown', async () => {
    const { page } = watched
    const urls = await page.locator('.address a').allTextContents()
    expect(urls).toHaveLength(3)
    for (const url of urls) {
      const answer = await page.request.get(url)
      expect(answer.status(), url).toBe(200)
      expect(await answer.text()).toMatch(/\bthe\b/i)
    }
  })

  it('says nothing in the console all the while', () => expect(watched.complaints).toEqual([]))
})
