import { useState } from 'react'

export type Theme = 'system' | 'light' | 'dark'
const KEY = 'headwater-theme'

function storedTheme(): Theme {
  const text = localStorage.getItem(KEY)
  return text === 'light' || text === 'dark' ? text : 'system'
}

/** Before the first paint: otherwise a dark page would flash. */
export function applyTheme(theme: Theme = storedTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(storedTheme)
  const choose = (next: Theme) => {
    setTheme(next)
    if (next === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, next)
    applyTheme(next)
  }
  return [theme, choose]
}
