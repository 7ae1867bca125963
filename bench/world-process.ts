import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface WorldProcess {
  readonly port: number
  readonly urls: readonly string[]
  close(): Promise<void>
}

/**
 * A world in another process, so that serving does not count as crawling. Time stands still, and every window is full,
 * unless it has a speed.
 */
export async function startWorldProcess(feeds: number, windowItems: number, speed = 0): Promise<WorldProcess> {
  const folder = import.meta.url.endsWith('.ts') ? '../dist/lab' : '../lab'
  const main = fileURLToPath(new URL(`${folder}/worlds/main.js`, import.meta.url))
  const args = ['--feeds', feeds, '--window', windowItems, '--speed', speed, '--seed', 1, '--port', 0]
  const child = spawn(process.execPath, [main, ...args.map(String), '--json', '--until-parent-exits'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the world ended with ${code}`))),
  ])
  const { port } = JSON.parse(line)
  const urls = Array.from({ length: feeds }, (_, i) => `http://feed-${i}.localhost:${port}/feed.xml`)
  return { port, urls, close: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
