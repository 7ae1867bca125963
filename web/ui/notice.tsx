import type { ReactNode } from 'react'
import { describeError } from '../client/problem.ts'
import { t } from '../language/current.ts'

/** What went wrong and what to do, read aloud when it appears. */
export function Failure({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null
  const { message, hint } = describeError(error)
  return (
    <div className="notice bad" role="alert">
      <strong>{message}</strong>
      <div className="hint">{hint}</div>
    </div>
  )
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="stack tight empty">
      <strong>{title}</strong>
      {children !== undefined && <div className="muted">{children}</div>}
    </div>
  )
}

export function Loading({ what }: { readonly what: string }) {
  return (
    <p className="muted" role="status">
      {t.common.loading({ what })}
    </p>
  )
}
