import type { ReactNode } from 'react'
import { t } from '../language/current.ts'

interface SaveBarProps {
  /** What has changed, and what happens with it. */
  readonly children: ReactNode
  readonly save: string
  readonly canSave: boolean
  readonly isSaving: boolean
  /** null: there is nothing to go back to. */
  readonly onDiscard: (() => void) | null
  /** Absent: the form around it is submitted. */
  readonly onSave?: () => void
}

/** One Save for all that was changed, in sight as long as there is something to save. */
export function SaveBar({ children, save, canSave, isSaving, onDiscard, onSave }: SaveBarProps) {
  return (
    <div className="save-bar">
      <div className="grow small" role="status">
        {children}
      </div>
      {onDiscard !== null && (
        <button type="button" className="button" onClick={onDiscard}>
          {t.common.discard}
        </button>
      )}
      <button
        type={onSave === undefined ? 'submit' : 'button'}
        className="button main"
        disabled={!canSave || isSaving}
        onClick={onSave}
      >
        {isSaving ? t.common.saving : save}
      </button>
    </div>
  )
}
