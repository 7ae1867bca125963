import { parseUrl } from '../../runtime/parse-url.ts'

/*
 * Addresses as people write them down to show their form: `github.com/{owner}/{repository}/releases/**`.
 *
 * A name in braces stands for one step of the path, one label of the host or one value of the query; `{id:number}` only for
 * digits; `{path...}`, as the last step, for one or more steps. There is at most one name in each, so that no text takes more
 * than one pass. A last step `**` allows anything to follow. A host that is a name alone is any host. Parameters of the query
 * that the form does not name are not looked at.
 */

/** What a name may stand for. */
const KINDS = {
  any: /^.+$/su,
  word: /^[\p{L}\p{N}_-]+$/u,
  name: /^[\p{L}\p{N}_.~-]+$/u,
  number: /^\d+$/,
  /** A user or group of Flickr. */
  nsid: /^\d+@N\d+$/,
} as const

export type Kind = keyof typeof KINDS

interface Piece {
  readonly before: string
  /** null: a word that must be there as it is, which `before` has. */
  readonly name: string | null
  readonly kind: Kind
  readonly after: string
}

export interface Pattern {
  /** null: any host. */
  readonly host: readonly Piece[] | null
  readonly steps: readonly Piece[]
  /** What may follow: nothing, anything, or what this name takes. */
  readonly rest: 'none' | 'any' | { readonly name: string }
  readonly query: readonly (readonly [key: string, value: Piece])[]
  readonly names: readonly string[]
}

/** Steps of a path that one name took are a list. */
export type Values = ReadonlyMap<string, string | readonly string[]>

const NAME = /^([^{}]*)\{([a-z]+)(?::([a-z]+))?\}([^{}]*)$/
const REST = /^\{([a-z]+)\.\.\.\}$/

/** What is wrong with a form, in words. */
export class BadPattern extends Error {}

export function parsePattern(text: string): Pattern {
  const [, hostText = '', pathText = '', queryText = ''] = /^([^/?#]*)([^?#]*)(?:\?([^#]*))?$/s.exec(text) ?? []
  if (hostText === '') throw new BadPattern('it begins with no host')
  const isAnyHost = /^\{[a-z]+\}$/.test(hostText)
  const host = isAnyHost ? null : hostText.toLowerCase().split('.').map(parsePiece)
  const steps = pathText.split('/').filter((step) => step !== '')
  const last = steps.at(-1) ?? ''
  const restName = REST.exec(last)?.[1]
  if (last === '**' || restName !== undefined) steps.pop()
  const path = steps.map(parsePiece)
  const query = queryText === '' ? [] : queryText.split('&').map(parseParameter)
  const pieces = [...(host ?? []), ...path, ...query.map(([, piece]) => piece)]
  const names = pieces.flatMap(({ name }) => name ?? [])
  if (restName !== undefined) names.push(restName)
  if (new Set(names).size < names.length) throw new BadPattern('a name is there twice')
  const rest = restName !== undefined ? { name: restName } : last === '**' ? 'any' : 'none'
  return { host, steps: path, rest, query, names }
}

function parsePiece(text: string): Piece {
  if (!/[{}*]/.test(text)) return { before: decoded(text) ?? text, name: null, kind: 'any', after: '' }
  const [, before = '', name, kind = 'any', after = ''] = NAME.exec(text) ?? []
  if (name === undefined) throw new BadPattern(`"${text}" is neither a word nor one {name}`)
  if (!isKind(kind)) throw new BadPattern(`"${kind}" is none of ${Object.keys(KINDS).join(', ')}`)
  return { before, name, kind, after }
}

function isKind(text: string): text is Kind {
  return Object.hasOwn(KINDS, text)
}

function parseParameter(text: string): readonly [string, Piece] {
  const at = text.indexOf('=')
  if (at <= 0) throw new BadPattern(`"${text}" is no parameter`)
  return [text.slice(0, at), parsePiece(text.slice(at + 1).replaceAll('+', ' '))]
}

// Sites that have rules have these as other ways in, and mean the same with them.
const OTHER_WAY_IN = /^(?:www|m|mobile|old|new|np|amp)\./

/** null: the address is not of this form. */
export function matchPattern({ host, steps, rest, query }: Pattern, url: URL): Values | null {
  const values = new Map<string, string | readonly string[]>()
  if (host !== null && !matchHost(host, url.host, values)) return null
  const path = pathSteps(url)
  if (path === null || path.length < steps.length) return null
  const more = path.slice(steps.length)
  if (rest === 'none' && more.length > 0) return null
  if (!steps.every((piece, at) => matchPiece(piece, path[at] ?? '', values))) return null
  for (const [key, piece] of query) {
    const value = url.searchParams.get(key)
    if (value === null || !matchPiece(piece, value, values)) return null
  }
  if (typeof rest === 'object') {
    if (more.length === 0) return null
    values.set(rest.name, more)
  }
  return values
}

function matchHost(pieces: readonly Piece[], host: string, values: Map<string, string | readonly string[]>): boolean {
  return [host, host.replace(OTHER_WAY_IN, '')].some((one) => {
    const labels = one.split('.')
    return labels.length === pieces.length && pieces.every((piece, at) => matchPiece(piece, labels[at] ?? '', values))
  })
}

function matchPiece(
  { before, name, kind, after }: Piece,
  text: string,
  values: Map<string, string | readonly string[]>,
) {
  if (name === null) return text.toLowerCase() === before.toLowerCase()
  if (!text.startsWith(before) || !text.endsWith(after)) return false
  const value = text.slice(before.length, text.length - after.length)
  if (text.length < before.length + after.length || !KINDS[kind].test(value)) return false
  values.set(name, value)
  return true
}

/** null: it holds something that is no text. */
function pathSteps(url: URL): readonly string[] | null {
  const steps = url.pathname.split('/').filter((step) => step !== '')
  const texts = steps.flatMap((step) => decoded(step) ?? [])
  return texts.length === steps.length ? texts : null
}

function decoded(step: string): string | null {
  try {
    return decodeURIComponent(step)
  } catch {
    return null
  }
}

const PLACE = /\{([a-z]+)(?:\.\.\.)?\}/g

/** The names that a template needs. */
export function placesIn(template: string): readonly string[] {
  return [...template.matchAll(PLACE)].flatMap(([, name]) => name ?? [])
}

/** `origin` is the scheme and host of the address that was matched. null: no usable address comes of it. */
export function fillTemplate(template: string, values: Values, origin: string): string | null {
  let isWhole = true
  const queryAt = template.includes('?') ? template.indexOf('?') : template.length
  const text = template.replace(PLACE, (_, name: string, offset: number) => {
    if (name === 'origin') return origin
    const value = values.get(name)
    if (value === undefined) isWhole = false
    return value === undefined ? '' : encoded(value, offset > queryAt)
  })
  const url = isWhole ? parseUrl(text) : null
  if (url === null) return null
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '' ? url.href : null
}

/** As these signs mean nothing there, they stay: `did:plc:…`, `@name`, and in paths `a+b`. */
function encoded(value: string | readonly string[], isInQuery: boolean): string {
  if (typeof value !== 'string') {
    return isInQuery ? encoded(value.join('/'), true) : value.map((step) => encoded(step, false)).join('/')
  }
  const text = encodeURIComponent(value).replace(/%3A/g, ':').replace(/%40/g, '@').replace(/%2C/g, ',')
  // A step of dots alone would lead elsewhere.
  if (/^\.+$/.test(text)) return text.replaceAll('.', '%2E')
  return isInQuery ? text : text.replace(/%2B/g, '+')
}
