import { useState } from 'react'
import { type Answer, call, linkTo } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { count } from '../../format/words.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/notice.tsx'

export function BackupSection() {
  const [file, setFile] = useState<File | null>(null)
  const [restored, setRestored] = useState<Answer<'restore'> | null>(null)
  const restore = useAction(async (given: File) => {
    setRestored(await call('restore', { raw: { content: given, mediaType: 'application/octet-stream' } }))
    setFile(null)
  })
  return (
    <section className="panel stack">
      <h2>Backup</h2>
      <p className="small muted">
        The whole node in one file: sources, archive, what was learnt, users and query feeds.
      </p>
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
          The backup with {count(restored.sources)} sources and {count(restored.items)} items was taken in. Restart the
          node to go on with it.
        </p>
      )}
      {file !== null && (
        <Dialog title="Restore this backup?" onClose={() => setFile(null)}>
          <p>
            After the next start the node is as it was in <strong>{file.name}</strong>. What it knows now is replaced.
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
