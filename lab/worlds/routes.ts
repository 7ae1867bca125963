import { type FaultName, isFaultName } from './faults/fault.ts'

/** What an address of the world stands for. */
export type WorldRoute =
  | { readonly kind: 'index' }
  | { readonly kind: 'opml' }
  | { readonly kind: 'control'; readonly name: string }
  | { readonly kind: 'host'; readonly host: number }
  | { readonly kind: 'site'; readonly feed: number }
  | { readonly kind: 'feed'; readonly feed: number }
  | { readonly kind: 'item'; readonly feed: number; readonly key: string }
  | { readonly kind: 'image' | 'sound'; readonly feed: number; readonly key: string }
  | { readonly kind: 'fault'; readonly fault: FaultName }
  | { readonly kind: 'nothing' }

const NOTHING: WorldRoute = { kind: 'nothing' }

export function hostNameOf(header: string | undefined): string {
  return (header ?? '').replace(/:\d*$/, '').toLowerCase()
}

/**
 * - `feed-17.localhost`: `/` site, `/feed.xml`, `/items/KEY`, `/images/KEY.svg`, `/media/KEY.wav`
 * - `host-3.localhost`: `/` site of all its feeds, `/feed-17.xml`, `/feed-17/` site, `/feed-17/items/KEY`
 * - `fault-NAME.localhost`: `/feed.xml`
 * - anything else, as 127.0.0.1: `/` index, `/opml`, `/feeds/17.xml`, `/faults/NAME.xml`, `/__world/…`
 */
export function routeOf(host: string, path: string): WorldRoute {
  const match = /^(feed|host|fault)-([a-z0-9-]+)\.localhost$/.exec(host)
  if (match === null) return plainRoute(path)
  const name = match[2] ?? ''
  if (match[1] === 'fault')
    return isFaultName(name) && path.startsWith('/feed.') ? { kind: 'fault', fault: name } : NOTHING
  const number = Number(name)
  if (!Number.isInteger(number)) return NOTHING
  return match[1] === 'feed' ? ownHostRoute(number, path) : sharedHostRoute(number, path)
}

function ownHostRoute(feed: number, path: string): WorldRoute {
  if (path.startsWith('/feed.')) return { kind: 'feed', feed }
  if (path === '/') return { kind: 'site', feed }
  if (path.startsWith('/items/')) return { kind: 'item', feed, key: path.slice('/items/'.length) }
  return mediaRoute(feed, path)
}

function mediaRoute(feed: number, path: string): WorldRoute {
  const [, folder, key = ''] = /^\/(images|media)\/([\w.-]+)\.(?:svg|wav)$/.exec(path) ?? []
  if (folder === undefined) return NOTHING
  return { kind: folder === 'images' ? 'image' : 'sound', feed, key }
}

function sharedHostRoute(host: number, path: string): WorldRoute {
  if (path === '/') return { kind: 'host', host }
  const match = /^\/feed-(\d+)(\.\w+$|\/$|\/items\/|(?=\/images\/|\/media\/))(.*)$/.exec(path)
  if (match === null) return NOTHING
  const feed = Number(match[1])
  if (match[2] === '/') return { kind: 'site', feed }
  if (match[2] === '') return mediaRoute(feed, match[3] ?? '')
  if (match[2] === '/items/') return { kind: 'item', feed, key: match[3] ?? '' }
  return { kind: 'feed', feed }
}

function plainRoute(path: string): WorldRoute {
  if (path === '/') return { kind: 'index' }
  if (path === '/opml' || path === '/opml.xml') return { kind: 'opml' }
  if (path.startsWith('/__world/')) return { kind: 'control', name: path.slice('/__world/'.length) }
  const feed = /^\/feeds\/(\d+)\.\w+$/.exec(path)
  if (feed !== null) return { kind: 'feed', feed: Number(feed[1]) }
  const fault = /^\/faults\/([a-z0-9-]+)\.\w+$/.exec(path)
  const faultName = fault?.[1] ?? ''
  if (isFaultName(faultName)) return { kind: 'fault', fault: faultName }
  return NOTHING
}
