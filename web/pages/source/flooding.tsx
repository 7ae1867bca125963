import type { SourceDetail } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { count } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { useSession } from '../../session/session.tsx'
import { Failure } from '../../ui/notice.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'

interface FloodingProps {
  readonly source: SourceDetail
  readonly refusal: NonNullable<SourceDetail['refusal']>
  readonly onChange: () => void
}

/** More new items than are stored in a day: what became of them, and the way out. */
export function Flooding({ source, refusal, onChange }: FloodingProps) {
  const { can } = useSession()
  return (
    <div className="notice bad">
      <strong>{t.source.floodingRefused({ items: t.common.newItems({ n: refusal.items }) })}</strong>
      <div className="hint">
        {t.source.floodingWhy({
          when: <TimeAgo at={refusal.at} />,
          allowance: count(refusal.allowance),
          taken: count(source.intake.taken),
        })}
        {refusal.until !== null && t.source.untilThen}
      </div>
      {can('admin') && source.dailyAllowance !== 'off' && <LiftAllowance id={source.id} onChange={onChange} />}
    </div>
  )
}

function LiftAllowance({ id, onChange }: { readonly id: number; readonly onChange: () => void }) {
  const lift = useAction(async () => {
    await call('setSource', { params: { id }, body: { dailyAllowance: 'off' } })
    onChange()
  })
  return (
    <>
      <div className="row">
        <button type="button" className="button" onClick={() => lift.run()} disabled={lift.isRunning}>
          {t.source.liftAllowance}
        </button>
      </div>
      <Failure error={lift.error} />
    </>
  )
}
