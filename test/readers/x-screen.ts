import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

/** A screen without a monitor, and a hand on its mouse and keyboard. */
export interface XScreen {
  /** Starts a program there; it is ended with the screen. */
  start(command: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess
  /** Waits for a window of this name and width, and returns its number. */
  window(name: string, width?: number): Promise<string>
  /** Clicks at a place within a window. */
  click(window: string, x: number, y: number): Promise<void>
  type(text: string): void
  /** A picture of everything, for people. */
  shot(name: string): void
  close(): Promise<void>
}

const WAIT = { timeout: 300_000, interval: 500 }

/** `folder`: where pictures go. */
export function openScreen(display: string, folder: string): XScreen {
  mkdirSync(folder, { recursive: true })
  const env = { ...process.env, DISPLAY: display }
  const children = [spawn('Xvfb', [display, '-screen', '0', '1400x900x24'], { stdio: 'ignore' })]
  const xdo = (...args: string[]) => spawnSync('xdotool', args, { env, encoding: 'utf8' }).stdout.trim()
  const widthOf = (id: string) => Number(/WIDTH=(\d+)/.exec(xdo('getwindowgeometry', '--shell', id))?.[1])
  const find = (name: string, width?: number) =>
    xdo('search', '--onlyvisible', '--name', name)
      .split('\n')
      .find((id) => id !== '' && (width === undefined || widthOf(id) === width)) ?? null
  return {
    start(command, args, more) {
      const child = spawn(command, [...args], { env: { ...env, ...more }, stdio: 'ignore' })
      children.push(child)
      return child
    },
    async window(name, width) {
      await expect.poll(() => find(name, width), WAIT).not.toBeNull()
      return find(name, width) ?? ''
    },
    async click(window, x, y) {
      xdo('mousemove', '--sync', '--window', window, String(x), String(y), 'click', '1')
      // Nothing tells when a program has seen it.
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    },
    type: (text) => void xdo('type', '--delay', '30', text),
    shot: (name) => void spawnSync('import', ['-window', 'root', join(folder, `${name}.png`)], { env }),
    async close() {
      for (const child of children.reverse()) {
        const ended = new Promise((resolve) => child.once('exit', resolve))
        if (child.exitCode === null && child.kill('SIGKILL')) await ended
      }
    },
  }
}
