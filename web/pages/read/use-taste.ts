import { useState } from 'react'

export const DENSITIES = ['comfortable', 'compact', 'headlines'] as const
type Density = (typeof DENSITIES)[number]
export const ORDERS = ['newest', 'oldest'] as const
export type Order = (typeof ORDERS)[number]

/** How one likes to read; kept by this browser. */
interface Taste {
  readonly density: Density
  readonly order: Order
  /** Items that were scrolled past are read. */
  readonly marksWhileScrolling: boolean
}

const KEY = 'headwater-reading'
const USUAL: Taste = { density: 'comfortable', order: 'newest', marksWhileScrolling: false }

function storedTaste(): Taste {
  try {
    return { ...USUAL, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Taste>) }
  } catch {
    return USUAL
  }
}

export function useTaste(): readonly [Taste, (change: Partial<Taste>) => void] {
  const [taste, setTaste] = useState(storedTaste)
  const change = (part: Partial<Taste>) => {
    const next = { ...taste, ...part }
    setTaste(next)
    localStorage.setItem(KEY, JSON.stringify(next))
  }
  return [taste, change]
}
