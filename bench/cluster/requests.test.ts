import { describe, expect, it } from 'vitest'
import { busiestSpan, crowdedRequests, type SiteRequest } from './requests.ts'

const request = (by: string, fromMs: number, untilMs: number, host = 0): SiteRequest => ({
  by,
  host,
  feed: 0,
  fromMs,
  untilMs,
})

describe('requests as sites saw them', () => {
  it('the busiest second is found wherever it begins', () => {
    const requests = [0, 900, 950, 1_850, 1_899, 3_000].map((at) => request('a', at, at))
    expect(busiestSpan(requests, 1_000, () => 3)).toEqual({ requests: 4, atMost: 3 })
  })

  it('where more is allowed at some moments, the span counts that exceeds most', () => {
    const requests = [0, 1, 2, 3, 5_000, 5_001].map((at) => request('a', at, at))
    expect(busiestSpan(requests, 1_000, (at) => (at < 5_000 ? 4 : 1))).toEqual({ requests: 2, atMost: 1 })
  })

  it('two crawlers at one host are a crowd while the first waits for its answer', () => {
    const late = request('b', 50, 70)
    expect(crowdedRequests([request('a', 0, 60), late])).toEqual([late])
    expect(crowdedRequests([request('a', 0, 60), request('b', 60, 70)])).toEqual([])
    expect(crowdedRequests([request('a', 0, 60), request('a', 50, 70)])).toEqual([])
    expect(crowdedRequests([request('a', 0, 60), request('b', 50, 70, 1)])).toEqual([])
  })

  it('whoever is never answered waits for ever', () => {
    const waiting: SiteRequest = { by: 'a', host: 0, feed: 0, fromMs: 0 }
    expect(crowdedRequests([waiting, request('b', 9_999, 10_000)])).toHaveLength(1)
  })
})
