import { spawnSync } from 'node:child_process'
import type { Browser } from 'playwright-core'

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
