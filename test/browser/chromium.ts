import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const CANDIDATES = [process.env['CHROMIUM'], 'chromium', 'chromium-browser', 'google-chrome']

/** The browser of the system; null: there is none. */
export const CHROMIUM = CANDIDATES.map((name) => (name ? pathOf(name) : null)).find((path) => path !== null) ?? null

export const WITHOUT_CHROMIUM =
  CHROMIUM === null ? ' (skipped: there is no Chromium; install it, or name it in CHROMIUM)' : ''

function pathOf(name: string): string | null {
  if (name.includes('/')) return name
  const { status, stdout } = spawnSync('/bin/sh', ['-c', `command -v "${name}"`], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

export function launch(): Promise<Browser> {
  if (CHROMIUM === null) throw new Error('no Chromium')
  return chromium.launch({
    executablePath: CHROMIUM,
    // Its own sandbox cannot be had by root and in most containers; every page here is of a node on loopback.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
    ],
  })
}

export interface Watched {
  readonly context: BrowserContext
  readonly page: Page
  /** Errors and warnings of the console, uncaught exceptions, dialogs; each a line. */
  readonly complaints: string[]
}

const PATIENCE_MS = 15_000

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

/** What axe-core calls serious or critical, a line for each place. */
export async function seriousViolations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  const result = (await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] })`,
  )) as AxeResult
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    )
}
