import type { SourceDetail } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { count } from '../../format/amounts.ts'
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
      <strong>Flooding: {t.common.newItems({ n: refusal.items })} refused</strong>
      <div className="hint">
        <TimeAgo at={refusal.at} /> it showed more new items than the {count(refusal.allowance)} a day that are stored
        of it. The newest were taken ({count(source.intake.taken)} today); the rest comes in when there is room again,
        if it is still shown then.
        {refusal.until !== null && ' Until then it is not refreshed.'}
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
          Lift the allowance
        </button>
      </div>
      <Failure error={lift.error} />
    </>
  )
}
