import type { QueryError } from '../../../src/api/operations/wire.ts'

interface VerdictProps {
  readonly isRight: boolean
  readonly errors: readonly QueryError[]
}

/** What is wrong with the text, and how to complete it. */
export function QueryVerdict({ isRight, errors }: VerdictProps) {
  return (
    <>
      <div role="status" className="stack tight">
        {isRight && <p className="state">No mistake</p>}
        {errors.map((error) => (
          <div key={`${error.offset} ${error.code}`} className="notice bad query-error">
            <strong>
              Line {error.line}, column {error.column}: {error.message}
            </strong>
            <span className="hint">
              {error.hint} <span className="muted">{error.code}</span>
            </span>
          </div>
        ))}
      </div>
      <p className="small muted">
        <kbd>Ctrl</kbd> <kbd>Space</kbd> completes names and fields
      </p>
    </>
  )
}
