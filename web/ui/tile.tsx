import type { ReactNode } from 'react'

export type TileLook = '' | 'warn' | 'bad'

interface TileProps {
  readonly name: string
  readonly value: string
  readonly note: ReactNode
  readonly look?: TileLook
}

/** A figure with its name above and what it means below. */
export function Tile({ name, value, note, look = '' }: TileProps) {
  return (
    <div className={`panel tile ${look}`}>
      <h2 className="muted">{name}</h2>
      <span className="value">{value}</span>
      <span className="small muted">{note}</span>
    </div>
  )
}
