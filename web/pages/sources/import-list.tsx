import { type DragEvent, useEffect, useState } from 'react'
import type { Job } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { useJob } from '../../client/use-job.ts'
import { count } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { JobProgress } from '../../ui/job-progress.tsx'
import { Failure } from '../../ui/notice.tsx'

interface ImportState {
  readonly added: number
  readonly known: number
  readonly bad: number | readonly unknown[]
  readonly stored: number
  readonly marked: number
}

/** OPML, FOAF, plain addresses, or articles of another reader, dropped or chosen. */
export function ImportList({ onDone }: { readonly onDone: (imported: ImportState) => void }) {
  const [startedJob, setBegun] = useState<Job | null>(null)
  const [isOver, setOver] = useState(false)
  const job = useJob(startedJob)
  const send = useAction(async (files: readonly File[]) => {
    const file = files[0]
    if (!file) return
    const raw = { content: file, mediaType: 'text/x-opml' }
    setBegun((await call('importOpml', { raw })).job)
  })
  const result = job?.state === 'done' ? (job.result as ImportState | null) : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: called once for each job
  useEffect(() => {
    if (result) onDone(result)
  }, [result])
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    send.run([...event.dataTransfer.files])
  }
  return (
    <div className="stack">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the button inside */}
      <div
        className={isOver ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <strong>{t.sources.dropHere}</strong>
        <label className="button">
          {t.sources.orChoose}
          <input
            className="visually-hidden"
            type="file"
            accept=".opml,.xml,.txt,.rdf,.json,text/x-opml,text/xml,application/json"
            onChange={(event) => {
              send.run([...(event.target.files ?? [])])
              event.target.value = ''
            }}
          />
        </label>
        <span className="small muted">{t.sources.importHelp}</span>
      </div>
      <Failure error={send.error} />
      {job !== null && <JobProgress job={job} what={t.sources.import} />}
      {result !== null && (
        <p className="notice" role="status">
          {t.sources.added({ added: count(result.added), known: count(result.known) })}
          {result.stored + result.marked > 0 &&
            t.sources.stored({ stored: count(result.stored), marked: count(result.marked) })}
          {amount(result.bad) > 0 && t.sources.unusable({ n: count(amount(result.bad)) })}.
        </p>
      )}
    </div>
  )
}

function amount(bad: ImportState['bad']): number {
  return typeof bad === 'number' ? bad : bad.length
}
