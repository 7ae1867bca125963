import { useState } from 'react'
import { useIcon } from '../client/icons.ts'
import './monogram.css'

/** Angles of the colour wheel far enough from each other; a name always gets the same one. */
const HUES = 12

interface MonogramProps {
  readonly name: string
  /** Whose icon is shown instead, where there is one. */
  readonly sourceId?: number
}

/** Stands for a feed: its icon, or two letters of its name in a colour of its own. */
export function Monogram({ name, sourceId }: MonogramProps) {
  const path = useIcon(sourceId)
  const [brokenPath, setBrokenPath] = useState<string | null>(null)
  if (path !== null && path !== brokenPath)
    return <img className="monogram picture" src={path} alt="" onError={() => setBrokenPath(path)} />
  return (
    <span className={`monogram hue-${hueOf(name)}`} aria-hidden="true">
      {initials(name)}
    </span>
  )
}

export function initials(name: string): string {
  const words = name
    .replace(/^the\s+/i, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const [first = '?', second] = words
  return (second === undefined ? [...first].slice(0, 2).join('') : `${[...first][0]}${[...second][0]}`).toUpperCase()
}

export function hueOf(name: string): number {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973
  return sum % HUES
}
