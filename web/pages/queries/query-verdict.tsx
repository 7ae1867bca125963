import type { QueryError } from '../../../src/api/operations/wire.ts'
import { phraseWords } from '../../format/told-words.ts'
import { t } from '../../language/current.ts'

interface VerdictProps {
  readonly isRight: boolean
  readonly errors: readonly QueryError[]
}

/** What is wrong with the text, and how to complete it. */
export function QueryVerdict({ isRight, errors }: VerdictProps) {
  return (
    <>
      <div role="status" className="stack tight">
        {isRight && <p className="state">{t.queries.noMistake}</p>}
        {errors.map((error) => (
          <div key={`${error.offset} ${error.code}`} className="notice bad query-error">
            <strong>
              {t.queries.mistakeAt({
                line: error.line,
                column: error.column,
                message: phraseWords(error.phrases.message),
              })}
            </strong>
            <span className="hint">
              {phraseWords(error.phrases.hint)} <span className="muted">{error.code}</span>
            </span>
          </div>
        ))}
      </div>
      <p className="small muted">{t.queries.completes()}</p>
    </>
  )
}
