import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import type { WorldStats } from '../../lab/worlds/world.ts'
import { get, post } from './world-client.ts'

const main = fileURLToPath(new URL('../../lab/worlds/main.ts', import.meta.url))
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

async function start(...args: string[]): Promise<{ child: ChildProcess; port: number; url: string; feeds: number }> {
  const child = spawn(process.execPath, ['--import', 'tsx', main, '--json', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  const [line] = await once(createInterface({ input: child.stdout! }), 'line')
  return { child, ...JSON.parse(String(line)) }
}

describe('a world in its own process', () => {
  it('serves, counts, and ends on SIGTERM', async () => {
    const { child, url, port, feeds } = await start('--feeds', '7', '--window', '5', '--speed', '60', '--seed', '3')
    expect(feeds).toBe(7)
    expect((await get(`http://feed-6.localhost:${port}/feed.xml`)).status).toBe(200)
    const stats = (await (await fetch(`${url}/__world/stats`)).json()) as WorldStats
    expect(stats.feeds.map((feed) => feed.served)).toEqual([0, 0, 0, 0, 0, 0, 5])
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  it('ends when stopped over HTTP, and when its parent goes', async () => {
    const world = await start('--feeds', '1')
    const ended = once(world.child, 'exit')
    await post(`${world.url}/__world/control`, { stop: true })
    expect(await ended).toEqual([0, null])
    const orphan = await start('--demo', '--until-parent-exits')
    const exit = once(orphan.child, 'exit')
    orphan.child.stdin!.end()
    expect(await exit).toEqual([0, null])
  })

  it('refuses what it does not understand', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', main, '--feeds', 'many'], { stdio: 'ignore' })
    children.push(child)
    expect(await once(child, 'exit')).toEqual([2, null])
  })
})
