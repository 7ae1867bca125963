import routes from 'virtual:routes'
import type { OPERATIONS, OperationId } from '../../src/api/operations/index.ts'
import type { Call } from '../../src/api/operations/wire.ts'
import { BASE } from './base.ts'
import { problemOf } from './problem.ts'

type Operations = typeof OPERATIONS
type CallOf<K extends OperationId> = Call<Operations[K]>

/** A part of a call is left out where the operation has nothing to say in it. */
type Part<Name extends string, T> = undefined extends T
  ? { readonly [N in Name]?: T }
  : Record<never, never> extends T
    ? { readonly [N in Name]?: T }
    : { readonly [N in Name]: T }

export type Arguments<K extends OperationId> = Part<'params', CallOf<K>['params']> &
  Part<'query', CallOf<K>['query']> &
  Part<'body', CallOf<K>['body']>
export type OperationAnswer<K extends OperationId> = CallOf<K>['answer']

interface Extras {
  readonly signal?: AbortSignal
  /** It is carried out even if the page is left meanwhile. */
  readonly outlivesPage?: boolean
  /** For operations whose body is not JSON. */
  readonly raw?: { readonly content: Blob | string; readonly mediaType: string }
}

type CallInput<K extends OperationId> = Arguments<K> & Extras
type Rest<K extends OperationId> =
  Record<never, never> extends Arguments<K> ? [given?: CallInput<K>] : [given: CallInput<K>]

interface Loose extends Extras {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** Asks the node. Throws ApiProblem for what it refuses, and whatever fetch throws when it is away. */
export async function call<K extends OperationId>(id: K, ...[input]: Rest<K>): Promise<OperationAnswer<K>> {
  const { params, query, body, raw, signal, outlivesPage = false }: Loose = input ?? {}
  const [method, path] = routes[id]
  const answer = await fetch(addressOf(path, params, query), {
    method,
    headers: headersOf(raw?.mediaType ?? (body === undefined ? null : 'application/json')),
    body: raw?.content ?? (body === undefined ? null : JSON.stringify(body)),
    credentials: 'same-origin',
    keepalive: outlivesPage,
    ...(signal ? { signal } : {}),
  })
  if (!answer.ok) {
    const problem = await problemOf(answer)
    if (problem.code === 'LOGIN_NEEDED') for (const tell of loggedOut) tell()
    throw problem
  }
  return (answer.status === 204 ? undefined : await answer.json()) as OperationAnswer<K>
}

function addressOf(
  path: string,
  params: Readonly<Record<string, unknown>> = {},
  query: Readonly<Record<string, unknown>> = {},
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(params[name])))
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const search = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return `${BASE}${filled}${search === '' ? '' : `?${search}`}`
}

/** Where an operation is reached with a plain link, as a download. */
export function linkTo(id: OperationId, query?: Readonly<Record<string, unknown>>): string {
  return addressOf(routes[id][1], {}, query)
}

// The header is what no page of another site can send unasked (docs/api.md).
function headersOf(mediaType: string | null): Record<string, string> {
  return { 'x-headwater': '1', accept: 'application/json', ...(mediaType ? { 'content-type': mediaType } : {}) }
}

const loggedOut = new Set<() => void>()

/** Called when the node no longer knows who is asking. */
export function onLoggedOut(tell: () => void): () => void {
  loggedOut.add(tell)
  return () => loggedOut.delete(tell)
}
