import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSite } from '../../scripts/site/build.ts'
import { launch } from '../browser/chromium.ts'

const folder = mkdtempSync(join(tmpdir(), 'headwater-site-'))
let browser: Browser
beforeAll(async () => {
  buildSite(folder)
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

const pages = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
const read = (path: string) => readFileSync(join(folder, path), 'utf8')

async function open(path: string, viewport = { width: 1_280, height: 800 }): Promise<{ page: Page; said: string[] }> {
  const page = await browser.newPage({ viewport })
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  page.on('pageerror', (error) => said.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) said.push(`asks for ${request.url()}`)
  })
  await page.goto(pathToFileURL(join(folder, path)).href)
  return { page, said }
}

describe('the site that is made of the documents', () => {
  it('has every document, with tutorials for all four kinds of users', () => {
    const documents = readdirSync(join(import.meta.dirname, '../../docs'), { recursive: true, encoding: 'utf8' })
    for (const name of documents.filter((one) => one.endsWith('.md'))) {
      expect(existsSync(join(folder, name.replace(/\.md$/, '.html'))), name).toBe(true)
    }
    for (const name of ['self-hoster', 'operator', 'library', 'researcher']) {
      expect(read(`tutorials/${name}.html`)).toContain('<h1')
    }
  })

  it('has no link that leads nowhere, to a page, a place in it or a picture', () => {
    const lost: string[] = []
    for (const path of pages()) {
      for (const [, target = ''] of read(path).matchAll(/(?:href|src)="([^"]+)"/g)) {
        // Pages of the library's types are made by typedoc, which has a test of its own.
        if (/^(?:[a-z]+:|\/)/.test(target) || target.includes('library-types/')) continue
        const [file = '', anchor] = target.split('#', 2)
        const found = file === '' ? join(folder, path) : resolve(join(folder, dirname(path)), decodeURIComponent(file))
        const isThere = existsSync(found)
        const hasPlace =
          !isThere ||
          !anchor ||
          !found.endsWith('.html') ||
          readFileSync(found, 'utf8').includes(`id="${decodeURIComponent(anchor)}"`)
        if (!isThere || !hasPlace) lost.push(`${path}: ${target}`)
      }
    }
    expect(lost).toEqual([])
  })

  it.each([
    ['backup', 'Backup'],
    ['miniflux app', 'eader'],
    ['webhook sign', 'ublish'],
    ['divergence', 'When to look'],
  ])('search finds %s, opened as files', async (words, title) => {
    const { page, said } = await open('science.html')
    await page.keyboard.press('/')
    await page.keyboard.type(words)
    const first = page.locator('#found a').first()
    await first.waitFor()
    expect(await page.locator('#found').innerText()).toContain(title)
    await page.keyboard.press('Enter')
    await page.locator('h1').waitFor()
    expect(said).toEqual([])
    await page.close()
  })

  it('charts show values under the pointer, and hide a curve on request', async () => {
    const { page, said } = await open('science.html')
    const figure = page.locator('figure.chart').first()
    const box = (await figure.locator('svg').boundingBox())!
    const before = await figure.locator('svg path').count()
    await figure.locator('svg').hover({ position: { x: box.width / 2, y: box.height / 2 } })
    expect(await figure.locator('.values').innerText()).toMatch(/: .*\d/)
    await figure.locator('.legend button').first().click()
    expect(await figure.locator('svg path').count()).toBe(before - 1)
    expect(await page.locator('figure.chart').count()).toBeGreaterThanOrEqual(6)
    expect(said).toEqual([])
    await page.close()
  })

  it('says what was measured, when and by which command', async () => {
    const page = read('compared-with.html')
    expect(page).toMatch(/Measured on \d{4}-\d\d-\d\d with version [\d.]+, by <code>headwater lab compare/)
    expect(page).toContain('<td>foresight</td>')
    expect(page).toContain('<td>miniflux</td>')
  })

  it('has the animated picture of the README, which is small', () => {
    expect(read('index.html')).toContain('screenshots/tour.webp')
    expect(statSync(join(folder, 'screenshots/tour.webp')).size).toBeLessThan(1_000_000)
  })

  it('fits on a phone', async () => {
    const { page } = await open('operating.html', { width: 360, height: 740 })
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    await page.close()
  })

  it('begins with the text on a phone, has the list of pages a press away, and charts that can be read', async () => {
    const { page } = await open('science.html', { width: 360, height: 740 })
    const isSeen = (selector: string) =>
      page.evaluate<boolean>(
        `(({ top, bottom }) => top >= 0 && top < innerHeight && bottom > 0)(document.querySelector('${selector}').getBoundingClientRect())`,
      )
    expect([await isSeen('h1'), await isSeen('nav')]).toEqual([true, false])
    const heights = await page.evaluate<number[]>(
      `[...document.querySelectorAll('figure.chart svg text')].map((text) => text.getBoundingClientRect().height)`,
    )
    expect(heights.length).toBeGreaterThan(50)
    expect(Math.min(...heights)).toBeGreaterThan(10)
    await page.getByRole('link', { name: 'Pages', exact: true }).click()
    await expect.poll(() => isSeen('nav')).toBe(true)
    await page.close()
  })
})
