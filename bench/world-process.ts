import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface WorldProcess {
  readonly port: number
  readonly urls: readonly string[]
  /** Lets virtual time pass. */
  advance(ms: number): Promise<void>
  close(): Promise<void>
}

/** A world in another process, so that serving does not count as crawling. Time stands still, and every window is full. */
export async function startWorldProcess(feeds: number, windowItems: number): Promise<WorldProcess> {
  const folder = import.meta.url.endsWith('.ts') ? '../dist/lab' : '../lab'
  const main = fileURLToPath(new URL(`${folder}/worlds/main.js`, import.meta.url))
  const args = ['--feeds', feeds, '--window', windowItems, '--speed', 0, '--seed', 1, '--port', 0]
  const child = spawn(process.execPath, [main, ...args.map(String), '--json', '--until-parent-exits'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the world ended with ${code}`))),
  ])
  const { port } = JSON.parse(line)
  const urls = Array.from({ length: feeds }, (_, i) => `http://feed-${i}.localhost:${port}/feed.xml`)
  const advance = async (advanceMs: number) => {
    const body = JSON.stringify({ advanceMs })
    const answer = await fetch(`http://127.0.0.1:${port}/__world/control`, { method: 'POST', body })
    if (!answer.ok) throw new Error(`the world does not advance: ${answer.status}`)
    await answer.arrayBuffer()
  }
  return { port, urls, advance, close: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
