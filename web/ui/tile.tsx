import type { ReactNode } from 'react'

export type TileLook = '' | 'warn' | 'bad'

interface TileProps {
  readonly name: string
  readonly value: ReactNode
  /** Where the value does not say it itself. */
  readonly unit?: string
  readonly note: ReactNode
  readonly look?: TileLook
}

/** A figure with its name above and what it means below. */
export function Tile({ name, value, unit, note, look = '' }: TileProps) {
  return (
    <div className={`tile ${look}`}>
      <h2>{name}</h2>
      <span className="value">
        {value} {unit !== undefined && <small>{unit}</small>}
      </span>
      <span className="small muted">{note}</span>
    </div>
  )
}
