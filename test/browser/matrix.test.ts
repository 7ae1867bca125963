import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { extent } from '../support/extent.ts'
import { CHROMIUM, openPage, seriousViolations, WITHOUT_CHROMIUM } from './chromium.ts'
import { tooWide } from './in-page.ts'
import { brokenParts } from './measure-page.ts'
import { PAGES } from './page-list.ts'
import { createBrowserStage } from './stage.ts'

const WIDTHS = [1_440, 768, 360] as const
const THEMES = ['light', 'dark'] as const

/** Pages that the node makes without the dashboard. */
const PLAIN_PAGES = [
  { name: 'feeds', path: '/feeds', ready: 'Published feeds' },
  { name: 'api', path: '/api/docs', ready: 'The API of this node' },
] as const
/** Groups of the settings, and a query feed that is there. */
const MORE_PAGES = [
  { name: 'settings-checking', path: '/settings/checking', ready: 'Longest request' },
  { name: 'settings-reading', path: '/settings/publishing', ready: 'Items in a feed' },
  { name: 'settings-people', path: '/settings/people', ready: 'Tokens of a member' },
  { name: 'settings-you', path: '/settings/you', ready: 'Make a token' },
  { name: 'settings-mail', path: '/settings/mail', ready: 'Sender of mail' },
  { name: 'settings-storage', path: '/settings/storage', ready: 'Keep items for' },
  { name: 'settings-node', path: '/settings/node', ready: 'Serve on the port' },
  { name: 'settings-about', path: '/settings/about', ready: 'every operation with' },
  { name: 'query-feed', path: '/queries/harbour', ready: 'By source' },
] as const
const ALL = [...PAGES, ...MORE_PAGES, ...PLAIN_PAGES]

/** Every width in both themes with all rules in long runs; else all rules once, and what only another theme can break. */
const isFull = extent(false, true)

describe.skipIf(CHROMIUM === null)(`every page at every width, light and dark${WITHOUT_CHROMIUM}`, () => {
  const stage = createBrowserStage()
  beforeAll(() => stage.open(['--demo']))
  afterAll(() => stage.close())

  it('would notice a broken word, text that is cut off, and text beyond the edge', async () => {
    const { page, context } = await openPage(stage.browser, { viewport: { width: 360, height: 740 } })
    const style = (css: string, text: string) => `<p style="${css}">${text}</p>`
    await page.setContent(`<body style="margin:0;overflow-wrap:break-word;font-size:16px">
      ${style('width:60px', 'Unbreakableness')} ${style('width:60px;overflow-wrap:anywhere', 'https://example.org/any')}
      ${style('width:60px', 'well-known words stay whole')} ${style('width:60px;overflow:hidden;white-space:nowrap', 'cut off here')}
      ${style('margin-left:340px;white-space:nowrap', 'over the edge')}
      <input style="width:60px" placeholder="what one may write here">
      <table style="display:flex"><thead><tr><th>Name</th></tr></thead><tbody><tr><td>A</td></tr></tbody></table>`)
    expect(await brokenParts(page)).toEqual([
      'broken inside: "Unbreakableness" in p',
      'beyond the edge: "over the edge" in p',
      expect.stringMatching(/^cut off by \d+ px: p$/),
      'cut off in its field: "what one may write here"',
      'not under its heading: "Name" in table',
    ])
    await context.close()
  })

  it('breaks no word, cuts nothing off, is not wider than the screen, has no serious finding and a silent console', async () => {
    const { page, complaints, context } = await openPage(stage.browser)
    const wrong: Record<string, string[]> = {}
    const note = (what: string, found: readonly string[]) => {
      if (found.length > 0) wrong[what] = [...(wrong[what] ?? []), ...found]
    }
    for (const { name, path, ready } of ALL) {
      await page.setViewportSize({ width: WIDTHS[0], height: 900 })
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(`${stage.url}${path}`)
      await page.getByText(ready).first().waitFor()
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme })
        for (const width of colorScheme === 'light' || isFull ? WIDTHS : [360]) {
          await page.setViewportSize({ width, height: 900 })
          note(`${name} ${width} ${colorScheme}`, await findings(page, width, colorScheme))
        }
      }
      note(`${name} console`, complaints.splice(0))
    }
    expect(wrong).toEqual({})
    await context.close()
  })
})

async function findings(page: Page, width: number, theme: (typeof THEMES)[number]): Promise<string[]> {
  const wide = await tooWide(page)
  // The theme changes no place of anything.
  const broken = theme === 'light' || isFull ? await brokenParts(page) : []
  const needsAll = isFull || (theme === 'light' && width === 360)
  const needsContrast = theme === 'dark' && width === 360
  const axe = needsAll
    ? await seriousViolations(page)
    : needsContrast
      ? await seriousViolations(page, ['color-contrast'])
      : []
  return [...wide, ...broken, ...axe]
}
