import type { LeaseToken, Shard } from '../../model/index.ts'
import { type ShardLeases, shardOfId } from '../../store/shard-leases.ts'

/** How long somebody may serve a subscription. */
export interface ServeTurn {
  /** Asked before anything is sent: a subscription that is being given back gets nothing new. */
  mayGoOn(): boolean
  /** Aborts when the deliveries end, or another may have the subscription: what is under way is called off. */
  readonly signal: AbortSignal
}

/** null: the subscription is another's. */
export type FindTurn = (subscriptionId: number) => ServeTurn | null

interface ShardTurn extends ServeTurn {
  readonly token: LeaseToken
  readonly lost: AbortController
}

/** Which subscriptions are this process's, by the leases of its shards. */
export class OwnSubscriptions {
  readonly #leases: ShardLeases
  readonly #end: AbortSignal
  readonly #turns = new Map<Shard, ShardTurn>()

  constructor(leases: ShardLeases, end: AbortSignal) {
    this.#leases = leases
    this.#end = end
  }

  /**
   * Those of this moment. To be asked before subscriptions are read: what was read before a shard came does not know what
   * its last owner has delivered.
   */
  present(): FindTurn {
    const turns = new Map([...this.#leases.current()].map(([shard, token]) => [shard, this.#turn(shard, token)]))
    return (id) => turns.get(shardOfId(id, this.#leases.shards)) ?? null
  }

  /** Calls off what is under way for shards that another may have. */
  endLost(): void {
    for (const [shard, { token, lost }] of this.#turns) {
      if (this.#leases.isValid(shard, token)) continue
      lost.abort()
      this.#turns.delete(shard)
    }
  }

  #turn(shard: Shard, token: LeaseToken): ServeTurn {
    const known = this.#turns.get(shard)
    if (known?.token === token) return known
    const lost = new AbortController()
    const signal = AbortSignal.any([this.#end, lost.signal])
    const turn: ShardTurn = { token, lost, signal, mayGoOn: () => this.#leases.current().get(shard) === token }
    this.#turns.set(shard, turn)
    return turn
  }
}

/** Of a process that serves all of them. */
export function everySubscription(end: AbortSignal): FindTurn {
  const turn: ServeTurn = { mayGoOn: () => true, signal: end }
  return () => turn
}
