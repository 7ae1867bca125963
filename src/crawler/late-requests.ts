import type { DurationMs, InstantMs, SourceId } from '../model/index.ts'
import type { RefreshRequest } from '../store/scheduling.ts'

interface Run {
  beganAt: InstantMs
  readonly requests: RefreshRequest[]
}

/**
 * Requests by hand for sources that are being refreshed. What is under way serves those from before it began; the others may
 * be about something that it did not see any more, and get a refresh of their own after it.
 */
export class LateRequests {
  private readonly runs = new Map<SourceId, Run>()

  begin(id: SourceId, at: InstantMs): void {
    this.runs.set(id, { beganAt: at, requests: [] })
  }

  /** false: the source is not being refreshed. */
  add(request: RefreshRequest): boolean {
    const run = this.runs.get(request.sourceId)
    run?.requests.push(request)
    return run !== undefined
  }

  /** What the refresh found, or that it found nothing, is stored. */
  serve(id: SourceId): void {
    const run = this.runs.get(id)
    if (run === undefined) return
    const left = run.requests.filter(({ at }) => at > run.beganAt)
    run.requests.splice(0, run.requests.length, ...left)
  }

  /** The refresh is over; returns what it did not serve. */
  end(id: SourceId): readonly RefreshRequest[] {
    const requests = this.runs.get(id)?.requests ?? []
    this.runs.delete(id)
    return requests
  }

  /** The clock was set. */
  shift(byMs: DurationMs): void {
    for (const run of this.runs.values()) run.beganAt += byMs
  }
}
