// Pictures of every page, light and dark, of two pages on a phone, and an animated one (tour.mjs), of the demo:
//   npm run screenshots [-- --only overview,read --to FOLDER]
// They go to docs/screenshots, which the README shows.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { register } from 'tsx/esm/api'
import { makeTour } from './tour.mjs'

register()
const { launch, openPage } = await import('../test/browser/chromium.ts')
const { enter, visit } = await import('../test/browser/node-client.ts')
const { PAGES } = await import('../test/browser/page-list.ts')
const { freePort, startServe } = await import('../test/e2e/world-node.ts')

const { values } = parseArgs({ options: { only: { type: 'string' }, to: { type: 'string' } } })
const target = values.to ?? new URL('../docs/screenshots/', import.meta.url).pathname
/** They show folders and names of the machine, and nothing else on a demo. */
const WITHOUT_PICTURE = ['audit', 'cluster', 'network']
const wished =
  values.only?.split(',') ?? PAGES.map(({ name }) => name).filter((name) => !WITHOUT_PICTURE.includes(name))
const chosen = PAGES.filter(({ name }) => wished.includes(name))
const folder = mkdtempSync(join(tmpdir(), 'headwater-screenshots-'))
mkdirSync(target, { recursive: true })

const QUERY = `CREATE FEED weather TITLE "Wind and water" LIMIT 50 AS
RETURN CATEGORY "News" | CATEGORY "Services" AS $s
WHERE ITEM CONTAINS "storm" OR "ferry" OR "flood" AND NOT $s[TITLE CONTAINS "cancelled"]
DISTINCT BY TITLE;`

const node = startServe(await freePort(), ['--demo', '--data', folder])
const browser = await launch()
try {
  await node.ready()
  const client = visit(node.url)
  for (const colorScheme of ['light', 'dark']) {
    await shoot(client, chosen, colorScheme, { viewport: { width: 1_280, height: 860 } })
  }
  const onPhone = chosen.filter(({ name }) => name === 'overview' || name === 'read')
  await shoot(client, onPhone, 'light', { viewport: { width: 390, height: 800 }, isMobile: true }, '-phone')
} finally {
  await browser.close()
  await node.stop()
  rmSync(folder, { recursive: true, force: true })
}
if (values.only === undefined && values.to === undefined) await makeTour()

async function shoot(client, pages, colorScheme, options, suffix = '') {
  const { page, context } = await openPage(browser, { colorScheme, ...options })
  await enter(page, node.url, client)
  for (const { name, path, ready } of pages) {
    await page.goto(`${node.url}${path}`)
    await page.getByText(ready).first().waitFor()
    await prepare(page, name)
    await page.waitForTimeout(1_500)
    await page.screenshot({ path: join(target, `${name}-${colorScheme}${suffix}.png`) })
    console.log(`${name}, ${colorScheme}${suffix}`)
  }
  await context.close()
}

/** What a person would do first on the page. */
async function prepare(page, name) {
  if (name === 'query') {
    await page.getByRole('textbox', { name: 'Query' }).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(QUERY)
    await page.getByRole('heading', { name: 'By source' }).waitFor()
  }
  if (name === 'read') {
    await page.goto(`${node.url}/read?category=Culture`)
    await page.locator('.items button.item').first().waitFor()
    for (let i = 0; i < 3; i++) {
      await page.keyboard.press('j')
      await page.locator('article .content').waitFor()
    }
  }
  if (name === 'deliveries') {
    const choice = page.getByLabel('Follow a query feed or folder')
    await choice.selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Follow', exact: true }).click()
    await page
      .getByRole('button', { name: /^Unfollow/ })
      .first()
      .waitFor()
  }
  if (name === 'lab') {
    await page.getByText('Day', { exact: true }).click()
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('rowheader', { name: 'this node' }).waitFor({ timeout: 120_000 })
  }
}
