import type { SourceId } from '../model/index.ts'
import type { ErrorCode } from '../runtime/errors.ts'

/** So many sources in a row out of reach are not so many broken sites: it is our network. */
const IN_A_ROW = 10

/**
 * Distinguishes a night without network from sites that are down. As soon as one source answers again, all that failed
 * meanwhile are to be tried again, whatever their backing off says; the budget and the hosts' limits hold as ever.
 */
export class Outage {
  private readonly unreachable = new Set<SourceId>()

  recordFailure(id: SourceId, code: ErrorCode): void {
    if (isNetwork(code)) this.unreachable.add(id)
  }

  /** Something was reached; returns those to be tried again soon. */
  takeReached(): readonly SourceId[] {
    const ids = this.unreachable.size >= IN_A_ROW ? [...this.unreachable] : []
    this.unreachable.clear()
    return ids
  }
}

function isNetwork(code: ErrorCode): boolean {
  return code === 'FETCH_DNS' || code === 'FETCH_CONNECT' || code.startsWith('FETCH_TIMEOUT')
}
