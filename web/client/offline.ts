import { BASE } from './base.ts'

/** Opens without the node what was open before. Only where the browser trusts the connection: TLS, or this machine. */
export function openOffline(): void {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.register(`${BASE}/service-worker.js`).catch(() => {
    // The page works without.
  })
}
