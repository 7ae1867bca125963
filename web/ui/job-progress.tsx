import type { Job } from '../../src/api/operations/wire.ts'
import { errorWords } from '../format/told-words.ts'
import { count } from '../language/amounts.ts'
import { t } from '../language/current.ts'

/** How far a job is. */
export function JobProgress({ job, what }: { readonly job: Job; readonly what: string }) {
  const failure = job.error === null ? null : errorWords(job.error)
  if (job.state === 'failed') {
    return (
      <div className="notice bad" role="alert">
        <strong>{failure?.message ?? t.common.failed({ what })}</strong>
        <div className="hint">{failure?.hint}</div>
      </div>
    )
  }
  const label = job.total === null ? count(job.done) : t.common.of({ part: count(job.done), all: count(job.total) })
  return (
    <div className="stack tight">
      <progress aria-label={what} max={job.total ?? undefined} value={job.total === null ? undefined : job.done} />
      <span className="small muted" role="status">
        {what}: {job.state === 'done' ? t.common.done : label}
      </span>
    </div>
  )
}
