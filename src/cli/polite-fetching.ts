import type { Fetcher } from '../crawler/fetch/fetcher.ts'
import type { CliSession } from './cli-session.ts'
import type { CliContext } from './context.ts'

/** Each request waits for its turn at the host, as those of the node do. */
export async function fetchingPolitely<Result>(
  { config, data }: CliSession,
  context: CliContext,
  act: (fetcher: Fetcher) => Promise<Result>,
): Promise<Result> {
  const { fetcherFor } = await import('../app/crawling/crawling.ts')
  const { openPoliteness } = await import('../app/crawling/politeness.ts')
  const { politely } = await import('../crawler/politeness/polite-fetcher.ts')
  const { steady } = await import('../runtime/steady-clock.ts')
  const clock = steady(context.clock)
  const politeness = await openPoliteness(config, data.store, clock)
  const fetcher = politely(fetcherFor(config, clock, politeness.resolve), politeness.limits, clock)
  try {
    return await act(fetcher)
  } finally {
    await fetcher.close()
    await politeness.save()
  }
}
