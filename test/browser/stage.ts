import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { freePort, type NodeProcess, startServe } from '../e2e/world-node.ts'
import { launch } from './chromium.ts'
import { claim, type NodeClient } from './node-client.ts'

/** A node in a folder of its own, and a browser to look at it with. */
export interface BrowserStage {
  /** For what a test keeps besides; the data of the node are in a folder within it. */
  readonly folder: string
  readonly url: string
  readonly browser: Browser
  /** Starts both; the node has no owner yet. */
  open(flags: readonly string[]): Promise<void>
  /** Starts both and becomes the owner. */
  openOwned(flags: readonly string[]): Promise<NodeClient>
  /** Ends what was started, and removes the folder. */
  close(): Promise<void>
}

/** For feeds that a test serves itself. */
export const NEAR = ['--allow-range', 'loopback', '--host-spacing', '0s']

export function createBrowserStage(): BrowserStage {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-browser-'))
  let node: NodeProcess | undefined
  let browser: Browser | undefined
  return {
    folder,
    get url() {
      return started(node).url
    },
    get browser() {
      return started(browser)
    },
    async open(flags) {
      node = startServe(await freePort(), ['--data', join(folder, 'data'), ...flags])
      browser = await launch()
      await node.ready()
    },
    async openOwned(flags) {
      await this.open(flags)
      return claim(this.url)
    },
    async close() {
      await browser?.close()
      await node?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function started<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('open the stage first')
  return value
}
