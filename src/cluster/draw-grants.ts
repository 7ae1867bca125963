import type { Clock } from '../runtime/clock.ts'
import type { Layer } from '../runtime/supervisor.ts'
import type { GrantedAllowance } from './granted-allowance.ts'
import type { GrantStore } from './grants.ts'

export interface DrawGrantsDeps {
  readonly memberId: string
  readonly grants: Pick<GrantStore, 'draw'>
  readonly allowance: GrantedAllowance
  readonly clock: Clock
  /** Something can be paid for again. */
  readonly wake: () => void
}

/** Draws grants beside the crawl, which never waits for the database. At the end it gives back what is left. */
export function drawGrants(deps: DrawGrantsDeps): Layer {
  return {
    name: 'grants',
    async run(signal, succeeded) {
      const { allowance, clock } = deps
      const changes = new Changes(allowance)
      while (!signal.aborted) {
        const waitMs = allowance.talkAt - clock.monotonicMs()
        if (waitMs > 0) await changes.sleep(waitMs, clock, signal)
        else {
          await drawOnce(deps)
          succeeded()
        }
      }
      await drawOnce(deps, true)
    },
  }
}

async function drawOnce({ memberId, grants, allowance, clock, wake }: DrawGrantsDeps, isLast = false): Promise<void> {
  const sentAt = clock.monotonicMs()
  const answer = await grants.draw(memberId, allowance.request(clock.now(), isLast))
  if (answer === null) throw new Error('nobody has set a budget for the cluster yet')
  allowance.accept(answer, sentAt, clock.now())
  if (answer.amount > 0) wake()
}

/** Ends a sleep when it may be time to draw earlier. */
class Changes {
  private waking: AbortController | null = null

  constructor(allowance: GrantedAllowance) {
    allowance.onChange = () => this.waking?.abort()
  }

  async sleep(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
    const waking = new AbortController()
    const stop = () => waking.abort()
    this.waking = waking
    signal.addEventListener('abort', stop, { once: true })
    await clock.sleep(ms, waking.signal)
    signal.removeEventListener('abort', stop)
    this.waking = null
  }
}
