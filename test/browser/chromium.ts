import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core'
import { CHROMIUM, launch, openPage as open, type WatchedPage } from '../../lab/chromium.ts'
import { witness } from '../support/failure-notes.ts'

export { CHROMIUM, launch, type WatchedPage }

export const WITHOUT_CHROMIUM =
  CHROMIUM === null ? ' (skipped: there is no Chromium; install it, or name it in CHROMIUM)' : ''

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A page that says what it shows when a test fails, and is opened once more where the machine's interfaces changed meanwhile. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const watched = await open(browser, options)
  const { page, complaints } = watched
  const failed: string[] = []
  page.on('requestfailed', (request) => void failed.push(failureOf(request)))
  const goto = page.goto.bind(page)
  page.goto = async (url, more) => {
    failed.length = 0
    const answer = await goto(url, more).catch((error: unknown) =>
      isOfTheMachine(String(error)) ? null : throwIt(error),
    )
    return failed.some(isOfTheMachine) ? goto(url, more) : answer
  }
  const forget = witness(async () => {
    const text = await page.locator('body').innerText({ timeout: 5_000 })
    const lines = [
      `The page ${page.url()} shows:`,
      text.slice(0, 3_000),
      ...failed.slice(-20),
      ...complaints.slice(-20),
    ]
    return lines.join('\n')
  })
  page.once('close', forget)
  return watched
}

const failureOf = (request: Request) => `${request.url()}: ${request.failure()?.errorText ?? ''}`

/** Tests beside this one make network namespaces; whatever was being loaded then fails. */
const isOfTheMachine = (text: string) => text.includes('ERR_NETWORK_CHANGED')

function throwIt(error: unknown): never {
  throw error
}

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
