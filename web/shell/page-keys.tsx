import { useState } from 'react'
import { useLocation } from 'wouter'
import { t } from '../language/current.ts'
import { KeyList } from '../ui/key-list.tsx'
import { useKeys } from '../ui/use-keys.ts'

/** The number of a page is its place in the bar above. */
const PLACES = ['/', '/read', '/sources', '/queries', '/deliveries', '/lab', '/settings'] as const

const keys = () =>
  [
    ['1 … 7', t.shell.keyPages],
    ['Tab', t.shell.keyTab],
    ['← →', t.shell.keyChart],
    [t.shell.keyComplete, t.shell.keyCompleteWords],
    ['Esc', t.shell.keyClose],
    ['?', t.shell.keyKeys],
  ] as const

/** Keys that work on every page; Read has its own list, with its own keys. */
export function PageKeys() {
  const [path, navigate] = useLocation()
  const [isShown, setShown] = useState(false)
  useKeys({
    ...Object.fromEntries(PLACES.map((place, i) => [String(i + 1), () => navigate(place)])),
    ...(path === '/read' ? {} : { '?': () => setShown(true) }),
  })
  return isShown ? <KeyList title={t.shell.keys} keys={keys()} onClose={() => setShown(false)} /> : null
}
