import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { SourceDetail } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useEvent } from '../../client/events.ts'
import { useAction } from '../../client/use-action.ts'
import { t } from '../../language/current.ts'
import { FollowButton } from '../../session/follow-button.tsx'
import { useSession } from '../../session/session.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/notice.tsx'
import { EditSource } from './edit-source.tsx'

interface SourceActionsProps {
  readonly source: SourceDetail
  readonly onChange: () => void
}

export function SourceActions({ source, onChange }: SourceActionsProps) {
  const { can } = useSession()
  const [dialog, setDialog] = useState<'edit' | 'remove' | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      {can('write') && <RefreshNow id={source.id} />}
      <FollowButton feed={`/feeds/source/${source.id}`} onChange={onChange} />
      <Link className="button" href={`/read?source=${source.id}`}>
        {t.shell.pages.read}
      </Link>
      {can('admin') && <AdminButtons source={source} onChange={onChange} onOpen={setDialog} />}
      {dialog === 'edit' && <EditSource source={source} onClose={close} onSaved={onChange} />}
      {dialog === 'remove' && <RemoveSource source={source} onClose={close} />}
    </>
  )
}

function RefreshNow({ id }: { readonly id: number }) {
  const [message, setSaid] = useState<string | null>(null)
  const ask = useAction(async () => {
    await call('refreshSource', { params: { id } })
    setSaid(t.source.asked)
  })
  useEvent('refresh', ({ sourceId, newItems, error }) => {
    if (sourceId === id && message !== null) setSaid(error ?? `${t.common.newItems({ n: newItems })}`)
  })
  return (
    <>
      <button type="button" className="button main" onClick={() => ask.run()} disabled={ask.isRunning}>
        {t.source.refreshNow}
      </button>
      <span role="status" className="small muted">
        {message}
      </span>
      <Failure error={ask.error} />
    </>
  )
}

function RemoveSource({ source, onClose }: { readonly source: SourceDetail; readonly onClose: () => void }) {
  const [, navigate] = useLocation()
  const remove = useAction(async () => {
    await call('removeSource', { params: { id: source.id } })
    navigate('/sources')
  })
  return (
    <Dialog title={t.source.removeThis} onClose={onClose}>
      <p>{t.source.removeWords({ name: source.name, items: t.common.items({ n: source.items }) })}</p>
      <Failure error={remove.error} />
      <div className="row">
        <button type="button" className="button danger" onClick={() => remove.run()} disabled={remove.isRunning}>
          {t.source.removeIt}
        </button>
        <button type="button" className="button" onClick={onClose}>
          {t.source.keepIt}
        </button>
      </div>
    </Dialog>
  )
}

interface AdminButtonsProps extends SourceActionsProps {
  readonly onOpen: (dialog: 'edit' | 'remove') => void
}

function AdminButtons({ source, onChange, onOpen }: AdminButtonsProps) {
  const pause = useAction(async () => {
    await call('setSource', { params: { id: source.id }, body: { paused: !source.paused } })
    onChange()
  })
  return (
    <>
      <button type="button" className="button" onClick={() => pause.run()} disabled={pause.isRunning}>
        {source.paused ? t.source.resume : t.source.pause}
      </button>
      <button type="button" className="button" onClick={() => onOpen('edit')}>
        {t.source.edit}
      </button>
      <button type="button" className="button danger" onClick={() => onOpen('remove')}>
        {t.source.remove}
      </button>
      <Failure error={pause.error} />
    </>
  )
}
