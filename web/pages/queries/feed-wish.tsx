import { useState } from 'react'
import type { QueryFeedDetail } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { count } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
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
      <h2>{t.queries.wishedQuality}</h2>
      <p className="lead">{standingWords(wish)}</p>
      <div className="query-naming">
        <Field label={t.queries.lateBy} help={t.queries.minutes}>
          {(ids) => <input {...ids} inputMode="decimal" value={delay} onChange={(e) => setDelay(e.target.value)} />}
        </Field>
        <Field label={t.queries.completeTo} help={t.queries.perCent}>
          {(ids) => <input {...ids} inputMode="decimal" value={share} onChange={(e) => setShare(e.target.value)} />}
        </Field>
      </div>
      <Failure error={save.error} />
      <div>
        <button type="submit" className="button" disabled={save.isRunning}>
          {t.queries.saveWish}
        </button>
      </div>
    </form>
  )
}

function standingWords(wish: QueryFeedDetail['wish']): string {
  if (wish === null) return t.queries.noWish
  const { standing } = wish
  if (standing === null) return t.queries.beingComputed
  const { neededPerDay, lackingPerDay } = standing
  if (neededPerDay === null) return t.queries.noBudgetGives
  if (lackingPerDay === 0) return t.queries.takesAndHas({ n: count(neededPerDay) })
  return t.queries.takesAndLacks({ n: count(neededPerDay), lacking: count(lackingPerDay) })
}
