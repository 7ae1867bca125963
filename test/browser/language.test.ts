import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, openPage, WITHOUT_CHROMIUM } from './chromium.ts'
import { tooWide } from './in-page.ts'
import { brokenParts } from './measure-page.ts'
import { createBrowserStage } from './stage.ts'

/** Each page, and what it shows in German once it is loaded. */
const PAGES = [
  ['/', 'Für Fachleute'],
  ['/sources', / Quellen$/],
  ['/sources/1', 'Wann die Quelle veröffentlicht'],
  ['/queries', 'Was worauf aufbaut'],
  ['/new-query', 'Vorschau'],
  ['/read', 'Alles gelesen'],
  ['/deliveries', 'Was anderswohin gesendet wird'],
  ['/lab', 'Vergleichen'],
  ['/settings/you', 'Passwort ändern'],
  ['/settings/about', 'Veröffentlichte Feeds'],
  ['/audit', 'Protokoll'],
  ['/cluster', 'Ein Knoten allein'],
  ['/welcome', 'Einer Website folgen'],
  ['/feeds', 'Veröffentlichte Feeds'],
  ['/api/docs', 'Die API dieses Knotens'],
] as const

/** Of the dashboard's own words; titles of items are whatever their feeds say. */
const ENGLISH =
  /\b(Overview|Settings|Deliveries|Sources|Queries|Refreshes|Log out|Mark all read|Next check|Last checked|query feeds?|Unread only|requests|items a day|items an hour|Works well|Need you|Most wanted|Latest items|Nothing here|ago|checks|worth the price)\b/

describe.skipIf(CHROMIUM === null)(`the dashboard in German${WITHOUT_CHROMIUM}`, () => {
  const stage = createBrowserStage()
  beforeAll(() => stage.open(['--demo']))
  afterAll(() => stage.close())

  it('speaks German on every page where the browser does, and fits a phone', async () => {
    const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }
    const { page, complaints, context } = await openPage(stage.browser, { locale: 'de', ...phone })
    const wrong: Record<string, string[]> = {}
    for (const [path, ready] of PAGES) {
      await page.goto(`${stage.url}${path}`)
      await page.getByText(ready).first().waitFor()
      const found = await settled(page)
      if (found.length + complaints.length > 0) wrong[path] = [...found, ...complaints.splice(0)]
    }
    expect(wrong).toEqual({})
    expect(await page.evaluate('document.documentElement.lang')).toBe('de')
    await context.close()
  })

  it('writes amounts and times as Germans do, and says why a source is looked at', async () => {
    const { page, context } = await openPage(stage.browser, { locale: 'de-AT' })
    await page.goto(`${stage.url}/sources/1`)
    const next = page.locator('section', { has: page.getByRole('heading', { name: 'Nächster Abruf' }) })
    await next
      .getByText(/(Sie bringt etwa|Bis|alle|mindestens|nicht) /)
      .first()
      .waitFor()
    await page.goto(stage.url)
    await page
      .getByText(/[0-9],[0-9]/)
      .first()
      .waitFor()
    await page
      .getByText(/vor \d/)
      .first()
      .waitFor()
    await context.close()
  })

  it('says in German what is wrong with what one gave', async () => {
    const { page, context } = await openPage(stage.browser, { locale: 'de' })
    await page.goto(`${stage.url}/sources/999999`)
    await page.getByRole('alert').getByText('Keine solche Quelle').waitFor()
    await page.goto(`${stage.url}/settings/checking`)
    await page.getByLabel('Längste Anfrage').first().fill('bald')
    await page.getByText('„bald').first().waitFor()
    await page.goto(`${stage.url}/new-query`)
    await page
      .getByRole('textbox', { name: 'Abfrage' })
      .first()
      .fill('CREATE FEED a AS RETURN ALL WERE TITLE CONTAINS b')
    await page.getByText('Ist WHERE gemeint?').first().waitFor()
    await context.close()
  })

  it('changes to English and back by the setting, which outlasts a reload', async () => {
    const { page, complaints, context } = await openPage(stage.browser, { locale: 'de' })
    await page.goto(`${stage.url}/settings/you`)
    await page.getByLabel('Sprache').selectOption('en')
    await page.getByLabel('Language').waitFor()
    await page.goto(`${stage.url}/feeds`)
    await page.getByText('Published feeds').first().waitFor()
    await page.goto(`${stage.url}/settings/you`)
    await page.getByRole('link', { name: 'Sources', exact: true }).first().waitFor()
    expect(await page.evaluate('document.documentElement.lang')).toBe('en')
    await page.reload()
    await page.getByLabel('Language').selectOption('')
    await page.getByLabel('Sprache').waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Quellen', exact: true }).first().waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('loads no German where English is read', async () => {
    const requested: string[] = []
    const { page, context } = await openPage(stage.browser, { locale: 'en-GB' })
    page.on('request', (request) => requested.push(request.url()))
    await page.goto(`${stage.url}/sources/1`)
    await page.getByText('When it publishes').waitFor()
    const german = await openPage(stage.browser, { locale: 'de' })
    const both: string[] = []
    german.page.on('request', (request) => both.push(request.url()))
    await german.page.goto(`${stage.url}/sources/1`)
    await german.page.getByText('Wann die Quelle veröffentlicht').waitFor()
    const scripts = (urls: readonly string[]) => new Set(urls.filter((url) => url.endsWith('.js')))
    const onlyGerman = [...scripts(both)].filter((url) => !scripts(requested).has(url))
    expect(onlyGerman.length).toBeGreaterThanOrEqual(2)
    await context.close()
    await german.context.close()
  })
})

/** What is wrong with a page that is drawn to its end: a busy machine draws its parts one after the other. */
async function settled(page: Page): Promise<string[]> {
  for (let tries = 20; ; tries--) {
    const found = [...(await englishIn(page)), ...(await tooWide(page)), ...(await brokenParts(page))]
    if (found.length === 0 || tries === 0) return found
    await page.waitForTimeout(100)
  }
}

/** What feeds and the query language say is theirs. */
const THEIRS =
  '.items li, article, .article, pre, code, kbd, .line, .source-list a, .need-you .name, script, style, option'

async function englishIn(page: Page): Promise<string[]> {
  const texts = await page.evaluate<string[]>(`(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts = []
    while (walker.nextNode()) if (!walker.currentNode.parentElement.closest('${THEIRS}')) texts.push(walker.currentNode.data)
    return texts
  })()`)
  return texts.filter((text) => ENGLISH.test(text)).slice(0, 10)
}
