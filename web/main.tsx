import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/parts.css'
import './styles/shell.css'
import { App } from './app.tsx'
import { BASE } from './client/base.ts'
import { openOffline } from './client/offline.ts'
import { startLanguage, useLanguage } from './language/current.ts'
import { SessionProvider } from './session/session.tsx'
import { applyTheme } from './shell/theme.ts'

/** Drawn anew in another language. */
function Root() {
  const language = useLanguage()
  return (
    <SessionProvider key={language}>
      <Router base={BASE}>
        <App />
      </Router>
    </SessionProvider>
  )
}

async function start(): Promise<void> {
  applyTheme()
  openOffline()
  await startLanguage()
  const root = document.getElementById('root')
  if (root === null) return
  createRoot(root).render(
    <StrictMode>
      <Root />
    </StrictMode>,
  )
}

start()
