import { type ReactNode, useId } from 'react'

interface FieldProps {
  readonly label: string
  readonly help?: ReactNode
  /** Gets the ids that tie label and help to the control. */
  readonly children: (ids: { readonly id: string; readonly 'aria-describedby'?: string }) => ReactNode
}

export function Field({ label, help, children }: FieldProps) {
  const id = useId()
  const helpId = `${id}-help`
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(help === undefined ? { id } : { id, 'aria-describedby': helpId })}
      {help !== undefined && (
        <div className="help" id={helpId}>
          {help}
        </div>
      )}
    </div>
  )
}
