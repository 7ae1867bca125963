import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { CHROMIUM, launch } from '../../bench/chromium.ts'
import { PATIENCE_MS } from '../support/patience.ts'

export { CHROMIUM, launch }

export const WITHOUT_CHROMIUM =
  CHROMIUM === null ? ' (skipped: there is no Chromium; install it, or name it in CHROMIUM)' : ''

export interface Watched {
  readonly context: BrowserContext
  readonly page: Page
  /** Errors and warnings of the console, uncaught exceptions, dialogs; each a line. */
  readonly complaints: string[]
}

/** A page as a person opens it, with everything that would stand in its console. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 860 }, locale: 'en-GB', ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    dialog.dismiss().catch(() => {})
  })
  return { context, page, complaints }
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string | null
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']

/** What axe-core calls serious or critical, a line for each place. `rules`: these alone. */
export async function seriousViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(axeSource)
  const runOnly = rules === undefined ? STANDARDS : { type: 'rule', values: rules }
  const result = await page.evaluate<AxeResult>(
    `axe.run(document, ${JSON.stringify({ runOnly, resultTypes: ['violations'] })})`,
  )
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    )
}
