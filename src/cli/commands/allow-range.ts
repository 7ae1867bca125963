import type { Config } from '../../app/settings/config.ts'
import type { CliContext } from '../context.ts'

/**
 * What a person lets in with `--allow-range` the node must let in too, or it would refuse the source at its first refresh. So
 * the ranges go into the settings of the node.
 */
export async function allowForNode(range: string | undefined, config: Config, context: CliContext): Promise<void> {
  if (range === undefined) return
  const { mergeSettings } = await import('../../app/settings/config.ts')
  const { placeOf } = await import('../../app/data/data.ts')
  const { settings, locks } = placeOf(config)
  const document = await settings.read()
  const own = mergeSettings(document, {}, context.env).allowRange
  const missing = config.allowRange.filter((range) => !own.includes(range))
  if (missing.length === 0) return
  await settings.write({ ...document, allowRange: [...own, ...missing] })
  const again = locks.isTaken() ? ' It runs: start it again to take that over.' : ''
  context.err(`The node may now fetch from ${missing.join(', ')} (allowRange in its settings).${again}\n`)
}
