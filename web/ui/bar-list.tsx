import type { ReactNode } from 'react'

interface Bar {
  readonly key: string | number
  readonly name: ReactNode
  readonly value: number
  readonly label: ReactNode
}

/** Amounts side by side; the longest bar is the largest, or `most` if it is given. */
export function BarList({ bars, most }: { readonly bars: readonly Bar[]; readonly most?: number }) {
  const full = most ?? Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE)
  return (
    <ul className="bars">
      {bars.map(({ key, name, value, label }) => (
        <li key={key}>
          <span className="name">{name}</span>
          <span className="meter" aria-hidden="true">
            <span style={{ width: `${Math.min(100, (value / full) * 100)}%` }} />
          </span>
          <span className="muted">{label}</span>
        </li>
      ))}
    </ul>
  )
}
