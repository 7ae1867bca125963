import { type ReactNode, useEffect, useRef } from 'react'
import { t } from '../language/current.ts'

const SHOWN_FOR_MS = 10_000

interface ToastProps {
  readonly children: ReactNode
  readonly onUndo?: () => void
  readonly onEnd: () => void
}

/** What was just done, and a way back for ten seconds. */
export function Toast({ children, onUndo, onEnd }: ToastProps) {
  const latest = useRef(onEnd)
  latest.current = onEnd
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), SHOWN_FOR_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="toast" role="status">
      <span>{children}</span>
      {onUndo && (
        <button type="button" className="button little" onClick={onUndo}>
          {t.common.undo}
        </button>
      )}
    </div>
  )
}
