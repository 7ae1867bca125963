import type { ReactNode } from 'react'

interface FigureTableProps {
  readonly title: string
  readonly head: readonly string[]
  /** The last ones, of numbers, stand on the right as their figures do. */
  readonly numbers: number
  /** Where there is no row; absent: nothing is shown then. */
  readonly none?: string
  readonly children: readonly ReactNode[]
}

/** A panel with a table that may be wider than a phone: it scrolls by itself, also by keyboard. */
export function FigureTable({ title, head, numbers, none, children }: FigureTableProps) {
  const isEmpty = children.length === 0
  if (isEmpty && none === undefined) return null
  return (
    <section className="panel stack tight">
      <h2>{title}</h2>
      {isEmpty ? (
        <p className="muted">{none}</p>
      ) : (
        <div className="scroll-x" tabIndex={0} role="region" aria-label={title}>
          <table className="figure-table">
            <thead>
              <tr>
                {head.map((name, place) => (
                  <th key={name} scope="col" className={place < head.length - numbers ? '' : 'number'}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>{children}</tbody>
          </table>
        </div>
      )}
    </section>
  )
}
