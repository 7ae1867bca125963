import type { Clock } from '../../runtime/clock.ts'
import { waitForHop } from './hop.ts'
import type { HostLimits } from './host-limits.ts'

/** The place that one refresh holds at one host at a time; a redirect gives it up before it queues at the next host. */
export class HostSlot {
  private readonly limits: Pick<HostLimits, 'admit' | 'leave'>
  private readonly clock: Clock
  private host: string | null

  constructor(limits: Pick<HostLimits, 'admit' | 'leave'>, clock: Clock, host: string) {
    this.limits = limits
    this.clock = clock
    this.host = host
  }

  async moveTo(host: string, signal: AbortSignal): Promise<() => void> {
    this.leave()
    if (await waitForHop(this.limits, this.clock, host, signal)) this.host = host
    return () => {}
  }

  leave(): void {
    if (this.host !== null) this.limits.leave(this.host, this.clock.now())
    this.host = null
  }
}
