import type { Notifier } from '../../buffer/notifier.ts'
import type { Crawler } from '../../crawler/crawler.ts'
import { partOf } from '../../crawler/holdings.ts'
import type { SourceRefresh } from '../../crawler/pipeline.ts'
import type { Territory } from '../../crawler/territory.ts'
import { MINUTE_MS, SECOND_MS } from '../../model/index.ts'
import { createHubClient } from '../../push/ask-hub.ts'
import { PushSubscriber } from '../../push/subscriber.ts'
import type { HubRecord, HubSignals } from '../../refresh/strategies/foresight/hub-signals.ts'
import { repeat } from '../../runtime/repeat.ts'
import type { SteadyClock } from '../../runtime/steady-clock.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import { jsonState, type NamedState } from '../../store/node-state.ts'
import type { Data } from '../data/opened-data.ts'
import type { Environment } from '../environment.ts'
import type { Config } from '../settings/config.ts'
import { userAgentOf } from '../settings/user-agent.ts'

type StoredHub = HubRecord & { readonly hub: string }

/** What hubs were worth to this crawler. */
const HUBS: NamedState<readonly StoredHub[]> = jsonState('hubs', [], (stored) =>
  Array.isArray(stored)
    ? (stored as StoredHub[]).filter(({ v, hub }) => v === 1 && typeof hub === 'string')
    : undefined,
)

export interface PushLayersDeps {
  readonly config: Config
  readonly data: Pick<Data, 'store'>
  readonly environment: Environment
  /** How hubs reach this node. */
  readonly baseUrl: string
  /** Who hears of every refresh of this process. */
  readonly listen: (listener: (refreshed: SourceRefresh) => void) => void
  readonly hubs: HubSignals
  /** The shards of this crawler beside others; null: all. */
  readonly territory: Territory | null
}

/** Subscribes to hubs, and remembers what they were worth. */
export function pushLayers(deps: PushLayersDeps): readonly Layer[] {
  const { config, data, environment, baseUrl, hubs, territory } = deps
  const { clock, random } = environment
  if (!config.push) return []
  const client = createHubClient({ clock, allowRanges: config.allowRange, userAgent: userAgentOf(config) })
  const subscriber = new PushSubscriber({
    store: data.store,
    client,
    listener: hubs,
    baseUrl,
    part: () => (territory === null ? undefined : ownPart(territory)),
    clock,
    random,
  })
  deps.listen(({ record, url }) => subscriber.noteSource({ id: record.sourceId, url, state: record.state }))
  const save = repeat({ clock, everyMs: MINUTE_MS, action: () => data.store.saveState(HUBS, hubs.records()) })
  return [
    {
      name: 'push',
      async run(end) {
        await subscriber.run(end)
        await client.close()
      },
    },
    {
      name: 'hubs',
      healthyAfterMs: null,
      async run(end, succeeded) {
        hubs.resume(await data.store.state(HUBS))
        succeeded()
        await save(end, succeeded)
      },
    },
  ]
}

/** Those that may be acted on at this moment. */
function ownPart(territory: Territory) {
  const tokens = [...territory.tokens()].filter(([shard, token]) => territory.isValid(shard, token))
  return partOf(new Map(tokens), territory.shards)
}

/** At most so often, however many hubs call. */
const LOOK_AT_MOST_EVERY_MS = 50

/** A push is looked for as soon as it is stored, where that can be told. */
export function heedRequests(
  crawler: Pick<Crawler, 'lookForRequests'>,
  notifier: Notifier,
  clock: Pick<SteadyClock, 'sleep'>,
): Layer {
  return {
    name: 'requests',
    async run(end) {
      while (!end.aborted) {
        const after = notifier.count('requests')
        await notifier.wait('requests', 10 * SECOND_MS, { signal: end, after })
        crawler.lookForRequests()
        await clock.sleep(LOOK_AT_MOST_EVERY_MS, end)
      }
    },
  }
}
