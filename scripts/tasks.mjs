// Ten tasks of a newcomer, done in Chromium on the demo; counts what has to be clicked and typed, and the seconds:
//   npm run tasks [-- --json] [--url http://127.0.0.1:8080]
// Seconds are of the machine that runs it, without anybody who thinks; steps are the figure to compare.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { register } from 'tsx/esm/api'
import { TASKS } from './tasks/list.mjs'
import { Person } from './tasks/person.mjs'

register()
const { launch, openPage } = await import('../test/browser/chromium.ts')
const { freePort, startServe } = await import('../test/e2e/world-node.ts')
const { alignedLines } = await import('../src/cli/table.ts')

/** What is not there by then is not there: a task that fails must not take minutes. */
const PATIENCE_MS = 30_000

const { values } = parseArgs({ options: { json: { type: 'boolean' }, url: { type: 'string' } } })
const folder = mkdtempSync(join(tmpdir(), 'headwater-tasks-'))
const site = await startSite()
const node = values.url === undefined ? startServe(await freePort(), ['--demo', '--data', folder]) : null
const browser = await launch()
const url = values.url ?? node.url
try {
  await node?.ready()
  const results = []
  for (const task of TASKS) results.push(await carryOut(task))
  const steps = results.reduce((sum, one) => sum + one.steps, 0)
  const seconds = Math.round(10 * results.reduce((sum, one) => sum + one.seconds, 0)) / 10
  if (values.json) console.log(JSON.stringify({ tasks: results, steps, seconds }, null, 2))
  else print(results, steps, seconds)
  if (results.some(({ failure }) => failure !== null)) process.exitCode = 1
} finally {
  await browser.close()
  await node?.stop()
  site.close()
  rmSync(folder, { recursive: true, force: true })
}

async function carryOut({ name, wish, device = { viewport: { width: 1_440, height: 900 } }, run }) {
  const { page, context } = await openPage(browser, { ...device, permissions: ['clipboard-write'] })
  context.setDefaultTimeout(PATIENCE_MS)
  const person = new Person(page, url)
  let failure = null
  await person.arrive()
  const beganMs = performance.now()
  await run(person, { site: `http://127.0.0.1:${site.address().port}/` }).catch((error) => {
    failure = String(error.message).split('\n', 1)[0]
  })
  const seconds = Math.round((performance.now() - beganMs) / 100) / 10
  await context.close()
  return { name, wish, steps: person.steps, seconds, failure }
}

function print(results, steps, seconds) {
  const rows = results.map((one) => [one.wish, String(one.steps), one.seconds.toFixed(1), one.failure ?? ''])
  const all = [['TASK', 'STEPS', 'SECONDS', ''], ...rows, ['all', String(steps), seconds.toFixed(1), '']]
  console.log(alignedLines(all, { hasHeader: true }).join('\n'))
}

/** Somewhere that the demo does not know yet. */
function startSite() {
  const feed = `<rss version="2.0"><channel><title>A small site</title><item><title>One</title><guid>1</guid></item></channel></rss>`
  const server = createServer((request, response) => {
    const isPage = request.url === '/'
    response.setHeader('content-type', isPage ? 'text/html' : 'application/rss+xml')
    response.end(isPage ? '<link rel=alternate type="application/rss+xml" href="/feed.xml">' : feed)
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}
