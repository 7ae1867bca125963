import { useEffect, useRef } from 'react'

/** Single keys, except while something is being written or a modifier is held. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.composedPath()[0])) return
      const act = latest.current[event.key]
      if (act === undefined || document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

/** Inside of a shadow root, too, whose host is all that a listener outside sees as the target. */
function isWriting(target: EventTarget | undefined): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select, textarea'))
}
