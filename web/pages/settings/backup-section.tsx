import { useState } from 'react'
import { BASE } from '../../client/base.ts'
import { call, linkTo, type OperationAnswer } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { exactTime } from '../../format/words.ts'
import { count } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/notice.tsx'

const LOOK_EVERY_MS = 500

/** When the node answers again, everything is requested again; perhaps also a password. */
function reloadWhenBack(startedBefore: OperationAnswer<'restore'>['startedAt']): void {
  const look = async () => {
    // Not whether it was away: a quick node is back between two looks.
    const isBack = await call('health').then(
      ({ startedAt }) => startedAt !== startedBefore,
      () => false,
    )
    if (isBack) location.assign(`${BASE}/`)
    else setTimeout(look, LOOK_EVERY_MS)
  }
  setTimeout(look, LOOK_EVERY_MS / 5)
}

export function BackupSection() {
  const [file, setFile] = useState<File | null>(null)
  const [restored, setRestored] = useState<OperationAnswer<'restore'> | null>(null)
  const restore = useAction(async (file: File) => {
    const restored = await call('restore', { raw: { content: file, mediaType: 'application/octet-stream' } })
    setRestored(restored)
    setFile(null)
    if (restored.restarts) reloadWhenBack(restored.startedAt)
  })
  return (
    <section className="panel stack">
      <h2>{t.settings.backup}</h2>
      <p className="small muted">{t.settings.backupWords()}</p>
      <DatabaseVerdict />
      <div className="row">
        <a className="button" href={linkTo('backup')} download="headwater-backup.sqlite">
          {t.settings.download}
        </a>
        <label className="button">
          {t.settings.restoreFrom}
          <input
            className="visually-hidden"
            type="file"
            accept=".sqlite,.db,application/octet-stream"
            onChange={(event) => {
              setFile(event.target.files?.[0] ?? null)
              event.target.value = ''
            }}
          />
        </label>
      </div>
      {restored !== null && (
        <p className="notice" role="status">
          {t.settings.restored({
            sources: count(restored.sources),
            items: count(restored.items),
            next: restored.restarts ? t.settings.startsAgain : t.settings.restart,
          })}
        </p>
      )}
      {file !== null && (
        <Dialog title={t.settings.restoreThis} onClose={() => setFile(null)}>
          <p>{t.settings.restoreWords({ file: file.name })}</p>
          <Failure error={restore.error} />
          <div className="row">
            <button
              type="button"
              className="button danger"
              disabled={restore.isRunning}
              onClick={() => restore.run(file)}
            >
              {restore.isRunning ? t.settings.sending : t.settings.restore}
            </button>
            <button type="button" className="button" onClick={() => setFile(null)}>
              {t.settings.leaveIt}
            </button>
          </div>
        </Dialog>
      )}
    </section>
  )
}

const LOOK_AGAIN_EVERY_MS = 60_000

function DatabaseVerdict() {
  const { data } = useCall('health', {}, { everyMs: LOOK_AGAIN_EVERY_MS })
  if (data === null) return null
  const { verdict, checkedAt } = data.database
  const when = checkedAt === null ? '' : t.settings.checkedOn({ date: exactTime(checkedAt) })
  if (verdict === 'damaged') {
    return (
      <p className="notice bad" role="alert">
        {t.settings.damaged({ when })}
      </p>
    )
  }
  const words = verdict === 'ok' ? t.settings.whole({ when }) : t.settings.notLooked
  return <p className="small muted">{words}</p>
}
