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
import { SessionProvider } from './session/session.tsx'
import { applyTheme } from './shell/theme.ts'

applyTheme()
openOffline()
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <SessionProvider>
        <Router base={BASE}>
          <App />
        </Router>
      </SessionProvider>
    </StrictMode>,
  )
}
