import { useId } from 'react'

interface SegmentsProps<T extends string> {
  readonly legend: string
  readonly options: readonly (readonly [value: T, label: string])[]
  readonly value: T
  readonly onChange: (value: T) => void
}

/** A choice of few, as a row. */
export function Segments<T extends string>({ legend, options, value, onChange }: SegmentsProps<T>) {
  const name = useId()
  return (
    <div className="segments" role="radiogroup" aria-label={legend}>
      {options.map(([option, label]) => (
        <label key={option}>
          <input
            className="visually-hidden"
            type="radio"
            name={name}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          {label}
        </label>
      ))}
    </div>
  )
}
