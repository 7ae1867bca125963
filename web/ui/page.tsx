import type { ReactNode } from 'react'
import { useTitle } from './use-title.ts'

interface PageProps {
  readonly title: string
  /** Beside the heading. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function Page({ title, actions, children }: PageProps) {
  useTitle(title)
  return (
    <div className="stack">
      <div className="row apart">
        <h1>{title}</h1>
        {actions !== undefined && <div className="row">{actions}</div>}
      </div>
      {children}
    </div>
  )
}
