import { LeaseKeeper } from '../../src/cluster/lease-keeper.ts'
import { HEADWATER } from './paths.ts'

/**
 * The program as it would be if a crawler did not watch the clock: what it was given it acts on until the database says that it is
 * another's. Only `bench cluster --break lease-clock` starts it.
 */
LeaseKeeper.prototype.isValid = function isValid(shard, token) {
  return this.tokens().get(shard) === token
}

await import(HEADWATER)
