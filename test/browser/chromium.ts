import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { CHROMIUM, launch, openPage, type WatchedPage } from '../../lab/chromium.ts'

export { CHROMIUM, launch, openPage, type WatchedPage }

export const WITHOUT_CHROMIUM =
  CHROMIUM === null ? ' (skipped: there is no Chromium; install it, or name it in CHROMIUM)' : ''

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
