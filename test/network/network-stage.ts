import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningNode, startNode } from '../../src/app/node.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { withSourceDefaults } from '../../src/app/sources/import-sources.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { runCommand } from '../support/run-command.ts'

/** A node over loopback, with a data folder that commands can open. */
export interface NetworkNode {
  readonly node: RunningNode
  readonly url: string
  readonly dataDir: string
  command(...argv: readonly string[]): Promise<{ readonly code: number; readonly said: string }>
  stop(): Promise<void>
}

export async function startNetworkNode(flags: Readonly<Record<string, unknown>> = {}): Promise<NetworkNode> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-network-'))
  const usual = { port: 0, allowRange: 'loopback', hostSpacing: 0, budget: '20/s', minInterval: '1s' }
  const environment = { clock: systemClock, random: seededRandom(1), logger: silentLogger }
  const node = await startNode(loadConfig(dataDir, { ...usual, ...flags }, {}), environment, {
    ownerPassword: 'correct horse battery',
  })
  return {
    node,
    url: node.url,
    dataDir,
    command: (...argv) =>
      runCommand([...argv, '--data', dataDir], {
        env: { HEADWATER_ALLOW_RANGE: 'loopback', HEADWATER_HOST_SPACING: '0s' },
      }),
    async stop() {
      await node.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A query feed over sources at these addresses. */
export async function addFeed(
  { node: { data } }: NetworkNode,
  name: string,
  urls: readonly string[],
  isPrivate = false,
) {
  const { store } = data
  const now = systemClock.now()
  await store.addSources(
    urls.map((url) => withSourceDefaults({ url })),
    now,
  )
  const text = `CREATE FEED ${name} LIMIT 1000 AS RETURN ${urls.map((url) => `"${url}"`).join(' | ')} AS $s;`
  const first = { isPrivate, ownerId: null }
  const feed = { kind: 'save-feed', name, title: null, limit: 1000, text, catchUp: { after: 0 }, first } as const
  await store.changeQueries([feed], await store.queryRevision(), now)
}

/** RSS with a title and a category for each item. */
export function worded(items: readonly { readonly title: string; readonly category: string }[]): string {
  const entries = items.map(
    ({ title, category }) =>
      `<item><guid>${title}</guid><title>${title}</title><category>${category}</category></item>`,
  )
  return `<rss version="2.0"><channel><title>T</title>${entries.join('')}</channel></rss>`
}
