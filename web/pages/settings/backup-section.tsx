import { useState } from 'react'
import { BASE } from '../../client/base.ts'
import { call, linkTo, type OperationAnswer } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useCall } from '../../client/use-call.ts'
import { count, exactTime } from '../../format/words.ts'
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
      <h2>Backup</h2>
      <p className="small muted">
        The whole node in one file: sources, archive, what was learnt, users and query feeds. The key that seals log-ins
        of sources (<code>headwater.key</code>) is not in it: keep a copy of it elsewhere.
      </p>
      <DatabaseVerdict />
      <div className="row">
        <a className="button" href={linkTo('backup')} download="headwater-backup.sqlite">
          Download a backup
        </a>
        <label className="button">
          Restore from a file
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
          The backup with {count(restored.sources)} sources and {count(restored.items)} items was taken in.{' '}
          {restored.restarts
            ? 'The node starts again with it; this page follows in a moment.'
            : 'Restart the node to continue with it.'}
        </p>
      )}
      {file !== null && (
        <Dialog title="Restore this backup?" onClose={() => setFile(null)}>
          <p>
            The node starts again as it was in <strong>{file.name}</strong>, with the users and passwords of that time.
            What it knows now is kept beside its data.
          </p>
          <Failure error={restore.error} />
          <div className="row">
            <button
              type="button"
              className="button danger"
              disabled={restore.isRunning}
              onClick={() => restore.run(file)}
            >
              {restore.isRunning ? 'Sending …' : 'Restore'}
            </button>
            <button type="button" className="button" onClick={() => setFile(null)}>
              Leave it
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
  const when = checkedAt === null ? '' : ` on ${exactTime(checkedAt)}`
  if (verdict === 'damaged') {
    return (
      <p className="notice bad" role="alert">
        The database was found damaged{when}. Restore the last good backup.
      </p>
    )
  }
  const words = verdict === 'ok' ? `The database was looked through${when}, and is whole.` : 'Not looked through yet.'
  return <p className="small muted">{words}</p>
}
