import type { CliSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'

/**
 * What a person lets in with `--allow-range` the node must let in too, or it would refuse the source at its first refresh. So
 * the ranges go into the settings of the node.
 */
export async function allowForNode(
  range: string | undefined,
  { config, data: { settings, locks } }: CliSession,
  context: CliContext,
): Promise<void> {
  if (range === undefined) return
  const { mergeSettings } = await import('../../app/settings/config.ts')
  const document = await settings.read()
  const own = mergeSettings(document, {}, context.env).allowRange
  const missing = config.allowRange.filter((range) => !own.includes(range))
  if (missing.length === 0) return
  await settings.write({ ...document, allowRange: [...own, ...missing] })
  const again = (await locks.isTaken()) ? ' It runs: start it again to take that over.' : ''
  context.err(`The node may now fetch from ${missing.join(', ')} (allowRange in its settings).${again}\n`)
}
