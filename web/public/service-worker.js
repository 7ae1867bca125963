// Lets the dashboard open without its node: the page and its parts, and the last answers that it was shown.
// What was answered is somebody's: it goes whenever who is logged in changes, or the node no longer knows them.
const SHELL = 'shell-1'
const ANSWERS = 'answers-1'
const MOST_ANSWERS = 300
/** Below which path of its host the node is. */
const BASE = new URL('./', self.location).pathname.slice(0, -1)
/** Streams, downloads, and what must never be old. */
const NOT_KEPT = /^\/api\/(events|backup|export|opml|health|openapi|docs|jobs)/

self.addEventListener('install', (event) => {
  event.waitUntil(self.skipWaiting())
})

self.addEventListener('activate', (event) => {
  event.waitUntil(removeOldCaches().then(() => self.clients.claim()))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (url.origin !== self.location.origin || !url.pathname.startsWith(`${BASE}/`)) return
  const path = url.pathname.slice(BASE.length)
  if (path.startsWith('/api/')) {
    if (request.method !== 'GET') {
      if (path.startsWith('/api/session')) event.respondWith(withoutAnswers(request))
    } else if (!NOT_KEPT.test(path)) event.respondWith(answer(request))
    return
  }
  if (request.method !== 'GET') return
  if (request.mode === 'navigate') event.respondWith(page(request))
  else if (/^\/(assets\/|icon|manifest)/.test(path)) event.respondWith(part(request))
})

// What a query feed has published (src/publisher/channels/push-notice.ts). A browser wants each push to show something.
self.addEventListener('push', (event) => {
  const { title = 'Headwater', body = '', tag, path = '/read' } = event.data?.json() ?? {}
  const data = { path }
  event.waitUntil(self.registration.showNotification(title, { body, tag, data, icon: 'icon-192.png' }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPath(event.notification.data?.path ?? '/read'))
})

/** In a window that is there, else in a new one; never beyond the dashboard. */
async function openPath(path) {
  const url = new URL(self.location.origin + BASE + path)
  if (url.origin !== self.location.origin) return
  const [open] = await self.clients.matchAll({ type: 'window' })
  if (open === undefined) await self.clients.openWindow(url.href)
  else await (await open.navigate(url.href))?.focus()
}

async function removeOldCaches() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== SHELL && name !== ANSWERS).map((name) => caches.delete(name)))
}

/** Whatever address is opened, the page is the same: its own router makes the difference. */
async function page(request) {
  try {
    const fresh = await fetch(request)
    const isPage = fresh.ok && !fresh.redirected && (fresh.headers.get('content-type') ?? '').includes('text/html')
    if (isPage && fresh.headers.has('content-security-policy'))
      await (await caches.open(SHELL)).put(`${BASE}/`, fresh.clone())
    return fresh
  } catch (error) {
    const last = await (await caches.open(SHELL)).match(`${BASE}/`)
    if (last) return last
    throw error
  }
}

/** Names of parts carry a hash of what is in them. */
async function part(request) {
  const cache = await caches.open(SHELL)
  const known = await cache.match(request)
  if (known) return known
  const fresh = await fetch(request)
  if (fresh.ok) await cache.put(request, fresh.clone())
  return fresh
}

async function answer(request) {
  const cache = await caches.open(ANSWERS)
  try {
    const fresh = await fetch(request)
    if (fresh.status === 401) await caches.delete(ANSWERS)
    else if (fresh.ok) await keep(cache, request, fresh.clone())
    return fresh
  } catch (error) {
    const last = await cache.match(request)
    if (last) return last
    throw error
  }
}

async function keep(cache, request, fresh) {
  await cache.put(request, fresh)
  const requests = await cache.keys()
  for (const old of requests.slice(0, Math.max(0, requests.length - MOST_ANSWERS))) await cache.delete(old)
}

async function withoutAnswers(request) {
  try {
    return await fetch(request)
  } finally {
    await caches.delete(ANSWERS)
  }
}
