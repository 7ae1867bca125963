import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/parts.css'
import './styles/shell.css'
import { App } from './app.tsx'
import { openOffline } from './client/offline.ts'
import { startLanguage, useLanguage } from './language/current.ts'
import { SessionProvider } from './session/session.tsx'
import { applyTheme } from './shell/theme.ts'

/** Drawn anew in another language. */
function Root() {
  const language = useLanguage()
  return (
    <SessionProvider key={language}>
      <App />
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
