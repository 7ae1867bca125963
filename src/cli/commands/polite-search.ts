import type { Fetcher } from '../../crawler/fetch/fetcher.ts'
import type { CompiledRule } from '../../sources/meant/index.ts'
import type { CliSession } from '../cli-session.ts'
import type { CliContext } from '../context.ts'
import { fetchingPolitely } from '../polite-fetching.ts'

/** Looks for feeds on the web, with the rules of this node. */
export async function searchPolitely<Result>(
  session: CliSession,
  context: CliContext,
  look: (fetcher: Fetcher, rules: readonly CompiledRule[]) => Promise<Result>,
): Promise<Result> {
  const { rulesFor } = await import('../../app/sources/address-rules.ts')
  const rules = await rulesFor(null, session.data.store)
  return fetchingPolitely(session, context, (fetcher) => look(fetcher, rules))
}
