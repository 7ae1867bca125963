import { useState } from 'react'
import { useLocation } from 'wouter'
import { KeyList } from '../ui/key-list.tsx'
import { useKeys } from '../ui/use-keys.ts'

/** The number of a page is its place in the bar above. */
const PLACES = ['/', '/read', '/sources', '/queries', '/deliveries', '/lab', '/settings'] as const

const KEYS = [
  ['1 … 7', 'Overview, Read, Sources, Queries, Deliveries, Lab, Settings'],
  ['Tab', 'to the next link, field or button; Shift and Tab go back'],
  ['← →', 'in a chart: read its values; Escape leaves it'],
  ['Ctrl Space', 'in a query: complete names and fields'],
  ['Esc', 'close a dialog'],
  ['?', 'these keys; Read has more of its own'],
] as const

/** Keys that work on every page; Read has its own list, with its own keys. */
export function PageKeys() {
  const [path, navigate] = useLocation()
  const [isShown, setShown] = useState(false)
  useKeys({
    ...Object.fromEntries(PLACES.map((place, i) => [String(i + 1), () => navigate(place)])),
    ...(path === '/read' ? {} : { '?': () => setShown(true) }),
  })
  return isShown ? <KeyList title="Keys" keys={KEYS} onClose={() => setShown(false)} /> : null
}
