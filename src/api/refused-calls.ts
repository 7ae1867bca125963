import type { FastifyInstance } from 'fastify'
import { problemOf } from './problem.ts'

/** Doors that programs of strangers come to: subscribers of the hub, hubs of others, and nodes. */
type OpenDoor = 'hub' | 'push' | 'peer'

export interface RefusedCall {
  readonly door: OpenDoor
  /** Of docs/errors.md; `forged` and `repeated`: pushes that are taken without a word and not followed. */
  readonly code: string
  readonly count: number
}

/** What was refused at these doors since this process began. */
export class RefusedCalls {
  readonly #counts = new Map<string, RefusedCall>()

  note(door: OpenDoor, code: string): void {
    const name = `${door} ${code}`
    this.#counts.set(name, { door, code, count: (this.#counts.get(name)?.count ?? 0) + 1 })
  }

  list(): readonly RefusedCall[] {
    return [...this.#counts.values()].sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
  }

  /** Counts every failure of the routes of this scope. */
  watch(scope: FastifyInstance, door: OpenDoor): void {
    scope.addHook('onError', async (_request, _reply, error) => this.note(door, problemOf(error).code))
  }
}
