import type { Config } from '../../app/settings/config.ts'
import type { CliContext } from '../context.ts'

/**
 * What a person lets in with `--allow-range` the node must let in too, or it would refuse the source at its first refresh. So
 * the ranges go into the settings file of the node.
 */
export async function allowForNode(given: string | undefined, config: Config, context: CliContext): Promise<void> {
  if (given === undefined) return
  const { loadConfig } = await import('../../app/settings/config.ts')
  const { readSettingsFile, writeSettingsFile } = await import('../../app/settings/settings-file.ts')
  const { isRunning } = await import('../../app/data/data.ts')
  const own = loadConfig(config.dataDir, {}, context.env).allowRange
  const missing = config.allowRange.filter((range) => !own.includes(range))
  if (missing.length === 0) return
  writeSettingsFile(config.dataDir, { ...readSettingsFile(config.dataDir), allowRange: [...own, ...missing] })
  const again = isRunning(config) ? ' It runs: start it again to take that over.' : ''
  context.err(`The node may now fetch from ${missing.join(', ')} (allowRange in its settings).${again}\n`)
}
