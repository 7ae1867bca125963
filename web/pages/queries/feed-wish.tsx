import { useState } from 'react'
import type { QueryFeedDetail } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { count } from '../../format/words.ts'
import { Field } from '../../ui/field.tsx'
import { Failure } from '../../ui/notice.tsx'

const MINUTE_MS = 60_000

/** A quality that the feed is to have; what it takes of the budget is found by the node within a minute or so. */
export function FeedWish({ feed, onChange }: { readonly feed: QueryFeedDetail; readonly onChange: () => void }) {
  const { wish } = feed
  const [delay, setDelay] = useState(wish?.meanDelayMs == null ? '' : String(wish.meanDelayMs / MINUTE_MS))
  const [share, setShare] = useState(wish?.completeness == null ? '' : String(100 * wish.completeness))
  const save = useAction(async () => {
    const wish = {
      meanDelayMs: delay.trim() === '' ? null : Number(delay) * MINUTE_MS,
      completeness: share.trim() === '' ? null : Number(share) / 100,
    }
    const isNone = wish.meanDelayMs === null && wish.completeness === null
    await call('setQueryFeed', { params: { name: feed.name }, body: { wish: isNone ? null : wish } })
    onChange()
  })
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault()
        save.run()
      }}
    >
      <h2>Wished quality</h2>
      <p className="lead">{standingWords(wish)}</p>
      <div className="query-naming">
        <Field label="Late by at most, on average" help="minutes">
          {(ids) => <input {...ids} inputMode="decimal" value={delay} onChange={(e) => setDelay(e.target.value)} />}
        </Field>
        <Field label="Complete to at least" help="per cent">
          {(ids) => <input {...ids} inputMode="decimal" value={share} onChange={(e) => setShare(e.target.value)} />}
        </Field>
      </div>
      <Failure error={save.error} />
      <div>
        <button type="submit" className="button" disabled={save.isRunning}>
          Save the wish
        </button>
      </div>
    </form>
  )
}

function standingWords(wish: QueryFeedDetail['wish']): string {
  if (wish === null) return 'None: it has what the budget gives. Leave both empty to wish for nothing.'
  const { standing } = wish
  if (standing === null) return 'What it takes is being computed.'
  const { neededPerDay, lackingPerDay } = standing
  if (neededPerDay === null) return 'No budget is believed to give it, or nothing is known of its sources yet.'
  if (lackingPerDay === 0) return `It takes ${count(neededPerDay)} requests a day, and has them.`
  return `It takes ${count(neededPerDay)} requests a day; the budget lacks ${count(lackingPerDay)} of them.`
}
