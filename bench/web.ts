import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launch } from '../lab/chromium.ts'
import { entryAt } from '../src/model/entry-at.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { median, roundToPrecision } from './rounds.ts'
import { fillData } from './web-data.ts'
import { type BenchNode, startNodeOn } from './web-node.ts'
import { measureRead } from './web-read.ts'

const SOURCES = 50_000
const PORT = 18_473

/** The dashboard, measured in the browser: first load, a table of 50,000 sources, and Read with 50,000 items. */
export async function benchWeb(options: { readonly rounds?: number }): Promise<object> {
  return inFolder((folder) => measureTable(folder, Math.max(5, options.rounds ?? 5)))
}

async function measureTable(folder: string, rounds: number): Promise<object> {
  await fillData(folder, SOURCES)
  const node = await startNodeOn(folder, PORT)
  const browser = await launch()
  try {
    const firstLoad = await measureFirstLoad(browser, node)
    const page = await pageOf(browser, node)
    const requestedAt = systemClock.monotonicMs()
    await page.goto(`${node.url}/sources`)
    await page.locator('.source-table .line').first().waitFor({ timeout: 60_000 })
    const shownMs = systemClock.monotonicMs() - requestedAt
    const scroll = await measureScroll(page, rounds)
    const sorts = await page.evaluate<Record<string, number[]>>(`(${SORT})(${rounds})`)
    const busy = startBusyLoops(cpus().length)
    const scrollBusy = await measureScroll(page, rounds).finally(busy.stop)
    await page.context().close()
    return {
      firstLoad,
      read: await measureRead(folder, browser, pageOf, rounds),
      table: {
        sources: SOURCES,
        shownMs: roundToPrecision(shownMs),
        scroll,
        sort: sortFigures(sorts),
        /** With as many programs beside it as there are cores, each taking what it can get. */
        scrollOnABusyMachine: scrollBusy,
      },
    }
  } finally {
    await browser.close()
    await node.stop()
  }
}

/** Scrolls the table, and beside it a page without any script, which shows what the machine gives. */
async function measureScroll(page: Page, rounds: number): Promise<object> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const busyMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0)
  }
  const frames: number[] = []
  const plain: number[] = []
  let workMs = 0
  for (let i = 0; i < rounds; i++) {
    await page.evaluate(PLAIN)
    plain.push(...(await page.evaluate<number[]>(`(${SCROLL})('#plain')`)))
    await page.evaluate('document.getElementById("plain").remove()')
    const before = await busyMs()
    frames.push(...(await page.evaluate<number[]>(`(${SCROLL})('.source-table')`)))
    workMs += (await busyMs()) - before
  }
  await session.detach()
  return {
    ...frameFigures(frames),
    workMsPerFrame: roundToPrecision(workMs / frames.length, 2),
    plainPage: frameFigures(plain),
  }
}

function startBusyLoops(count: number): { readonly stop: () => void } {
  const loops = Array.from({ length: count }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))
  return {
    stop() {
      for (const loop of loops) loop.kill('SIGKILL')
    },
  }
}

async function pageOf(browser: Browser, node: BenchNode): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 860 } })
  const [name = '', value = ''] = node.cookie.split(/=(.*)/s)
  await context.addCookies([{ name, value, url: node.url }])
  return context.newPage()
}

/** Bytes over the wire until the overview is complete, with everything that it loads. */
async function measureFirstLoad(browser: Browser, node: BenchNode): Promise<object> {
  const page = await pageOf(browser, node)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.goto(node.url)
  await page.locator('.tiles').waitFor()
  await page.waitForTimeout(1_000)
  await page.context().close()
  return { kB: roundToPrecision(bytes / 1_000) }
}

// Given as text, because the types of a browser's document are not for this code.
const SCROLL = `(selector) => new Promise((resolve) => {
  const box = document.querySelector(selector)
  const frames = []
  let last = performance.now(), left = 240
  box.scrollTop = 0
  const step = (now) => {
    frames.push(now - last)
    last = now
    // A wheel turned fast, and now and then the bar dragged far.
    box.scrollTop += left % 40 === 0 ? 300000 : 240
    if (left-- > 0) requestAnimationFrame(step)
    else resolve(frames.slice(1))
  }
  requestAnimationFrame(step)
})`

/** What the machine gives to any page: as much text in the same room, without any script. */
const PLAIN = `(() => {
  const box = document.createElement('div')
  box.id = 'plain'
  box.style.cssText = 'position:fixed;inset:200px 20px 20px;overflow:auto;background:Canvas;contain:strict'
  for (let i = 0; i < 3000; i++) {
    const line = document.createElement('div')
    line.style.cssText = 'height:36px;contain:strict;border-bottom:1px solid'
    line.textContent = ('line ' + i + ' of a plain page ').repeat(5)
    box.append(line)
  }
  document.body.append(box)
})()`

const SORT = `async (rounds) => {
  const times = {}
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  for (let i = 0; i < rounds; i++) {
    for (const button of document.querySelectorAll('.source-table .head button')) {
      const name = button.textContent.replace(/[^A-Za-z ]/g, '').trim()
      const start = performance.now()
      button.click()
      await frame()
      ;(times[name] ??= []).push(performance.now() - start)
    }
  }
  return times
}`

function frameFigures(frames: readonly number[]): object {
  const sorted = [...frames].sort((a, b) => a - b)
  const at = (share: number) =>
    roundToPrecision(entryAt(sorted, Math.min(sorted.length - 1, Math.floor(sorted.length * share))))
  return {
    frames: frames.length,
    medianMs: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    shareUnder50Ms: roundToPrecision(frames.filter((ms) => ms < 50).length / frames.length, 4),
  }
}

function sortFigures(times: Readonly<Record<string, number[]>>): object {
  return Object.fromEntries(
    Object.entries(times).map(([name, ms]) => [
      name,
      { medianMs: roundToPrecision(median(ms)), maxMs: roundToPrecision(Math.max(...ms)) },
    ]),
  )
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-web-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
