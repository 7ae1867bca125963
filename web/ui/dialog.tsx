import { type ReactNode, useEffect, useId, useRef } from 'react'
import { t } from '../language/current.ts'

interface DialogProps {
  readonly title: string
  readonly isWide?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The browser's own: it keeps the focus inside, and Escape closes it. */
export function Dialog({ title, isWide = false, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog ref={element} className={isWide ? 'wide' : ''} aria-labelledby={titleId} onClose={onClose}>
      <div className="stack">
        <div className="row apart">
          <h2 id={titleId}>{title}</h2>
          <button type="button" className="button quiet little" onClick={onClose}>
            {t.common.close}
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
