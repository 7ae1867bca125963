import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type NodeOptions, type RunningNode, startNode } from '../../src/app/node.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { startServer } from '../support/local-server.ts'

type Flags = Readonly<Record<string, unknown>>

export const PASSWORD = 'correct horse battery'

export interface SettingsStage {
  readonly node: RunningNode
  readonly siteUrl: string
  readonly clock: Clock
}

/** A whole node beside a site with one feed of twenty items. */
export async function onNode<Value>(
  flags: Flags,
  look: (stage: SettingsStage) => Promise<Value>,
  clock: Clock = systemClock,
  options: Pick<NodeOptions, 'openExtractor'> = {},
): Promise<Value> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-setting-'))
  const site = await startServer((_request, response) => response.end(feed()))
  const config = loadConfig(dataDir, { port: 0, allowRange: 'loopback', hostSpacing: 0, ...flags }, {})
  const environment = { clock, random: seededRandom(1), logger: silentLogger }
  const node = await startNode(config, environment, { ownerPassword: PASSWORD, ...options })
  try {
    return await look({ node, siteUrl: site.url('/feed'), clock })
  } finally {
    await node.stop()
    await site.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

export function feed(): string {
  const items = Array.from({ length: 20 }, (_, k) => `<item><guid>${k}</guid><title>t${k}</title></item>`)
  return `<rss version="2.0"><channel><title>T</title>${items.join('')}</channel></rss>`
}
