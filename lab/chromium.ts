import { spawnSync } from 'node:child_process'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

const CANDIDATES = [process.env['CHROMIUM'], 'chromium', 'chromium-browser', 'google-chrome']

/** The browser of the system; null: there is none. */
export const CHROMIUM = CANDIDATES.map((name) => (name ? pathOf(name) : null)).find((path) => path !== null) ?? null

function pathOf(name: string): string | null {
  if (name.includes('/')) return name
  const { status, stdout } = spawnSync('/bin/sh', ['-c', `command -v "${name}"`], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

const ARGS = [
  // Its own sandbox cannot be had by root and in most containers; every page is of a node on loopback.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  // Nothing leaves this machine, whatever a page asks for.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
]

export async function launch(): Promise<Browser> {
  if (CHROMIUM === null) throw new Error('There is no Chromium: install it, or name its program in CHROMIUM')
  const { chromium } = await import('playwright-core')
  return chromium.launch({ executablePath: CHROMIUM, args: ARGS })
}

export interface WatchedPage {
  readonly context: BrowserContext
  readonly page: Page
  /** Errors and warnings of the console, uncaught exceptions, dialogs; each a line. */
  readonly complaints: string[]
}

/**
 * The page has nothing to do with these: the first is written by the tool that drives the browser, because it was told to (below), the
 * second when the machine's interfaces change, as where tests beside this one make network namespaces.
 */
const OF_THE_MACHINE = new Set([
  'Service Worker registration blocked by Playwright',
  'Failed to load resource: net::ERR_NETWORK_CHANGED',
])

/** Generous: a hang must end, a busy machine must not matter. */
const PATIENCE_MS = 180_000

/** A page as a person opens it, with everything that would be in its console. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  // A worker would answer behind the back of tests that watch requests.
  const usual: BrowserContextOptions = {
    serviceWorkers: 'block',
    viewport: { width: 1_280, height: 860 },
    locale: 'en-GB',
  }
  const context = await browser.newContext({ ...usual, ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning'
    if (isComplaint && !OF_THE_MACHINE.has(message.text().trim()))
      complaints.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    dialog.dismiss().catch(() => {})
  })
  return { context, page, complaints }
}
