import { z } from 'zod'
import type { PeerAnswer, PeerDoor, PeerRequest } from '../../../api/peer-routes.ts'
import { type InstantMs, MINUTE_MS } from '../../../model/index.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { HeadwaterError } from '../../../runtime/errors.ts'
import type { Store } from '../../../store/store.ts'
import type { NodeIdentity } from '../identity.ts'
import type { HeldDocuments } from './documents.ts'
import { answerText, isGenuine, readAuthorization, SIGNATURE_LIFE_MS } from './peer-signature.ts'
import type { Roster } from './roster.ts'
import { DOCUMENT_PATH, type passedDocument } from './shared-fetcher.ts'
import { HISTORY_PATH, historyFor } from './shared-history.ts'

export const SOURCES_PATH = '/peer/sources'
export const NEWS_PATH = '/peer/news'

export interface PeerDoorDeps {
  readonly identity: () => Promise<NodeIdentity>
  readonly roster: Roster
  readonly documents: HeldDocuments
  readonly store: Pick<Store, 'requestRefresh' | 'observations' | 'decisions'>
  readonly clock: Pick<Clock, 'now' | 'monotonicMs'>
  /** Requests of one node. */
  readonly mostAMinute?: number
}

interface CountingDoor extends PeerDoor {
  /** How many were refused since it was last asked. */
  takeRefusals(): number
}

const MOST_A_MINUTE = 3_000
const asksForDocument = z.strictObject({ source: z.string().max(30), have: z.string().max(60).nullable() })
const asksForHistory = z.strictObject({ source: z.string().max(30) })
const tellsOfNews = z.strictObject({ sources: z.array(z.string().max(30)).max(10_000) })

/** Takes requests of trusted nodes. Who is not trusted learns nothing: PEER_REFUSED, whatever is asked. */
export function createPeerDoor(deps: PeerDoorDeps): CountingDoor {
  const { identity, roster, documents, store, clock, mostAMinute = MOST_A_MINUTE } = deps
  let refusals = 0
  const seen = new Map<string, InstantMs>()
  let calls = new Map<string, number>()
  let minuteEndsMs = Number.NEGATIVE_INFINITY

  return {
    async answer(request) {
      const own = await identity()
      const { node, signature } = admit(request, own.id)
      const body = JSON.stringify(await carryOut(node, request))
      return { body, signature: own.sign(answerText(signature, body)) } satisfies PeerAnswer
    },
    takeRefusals() {
      const count = refusals
      refusals = 0
      return count
    },
  }

  function refuse(): never {
    refusals++
    throw new HeadwaterError('PEER_REFUSED')
  }

  function admit({ path, authorization, body }: PeerRequest, ownId: string) {
    const credentials = readAuthorization(authorization)
    const peer = credentials && roster.peer(credentials.node)
    const now = clock.now()
    const call = { from: credentials?.node ?? '', to: ownId, path, body }
    if (credentials === null || peer === null || !isGenuine(call, credentials, peer.key, now)) {
      return refuse()
    }
    refuseRepetition(credentials.signature, now)
    limit(peer.node)
    return credentials
  }

  /** What was overheard opens nothing. */
  function refuseRepetition(signature: string, now: InstantMs): void {
    for (const [old, at] of seen) {
      if (Math.abs(now - at) <= 2 * SIGNATURE_LIFE_MS) break
      seen.delete(old)
    }
    if (seen.has(signature)) refuse()
    seen.set(signature, now)
  }

  function limit(node: string): void {
    if (clock.monotonicMs() >= minuteEndsMs) {
      calls = new Map()
      minuteEndsMs = clock.monotonicMs() + MINUTE_MS
    }
    const count = (calls.get(node) ?? 0) + 1
    calls.set(node, count)
    if (count > mostAMinute) throw new HeadwaterError('PEER_TOO_MANY')
  }

  function carryOut(node: string, { path, body }: PeerRequest): Promise<unknown> | unknown {
    if (path === SOURCES_PATH) return { sources: [...roster.names(node).byName.keys()] }
    if (path === DOCUMENT_PATH) return documentFor(node, read(asksForDocument, body))
    if (path === HISTORY_PATH) {
      const url = roster.names(node).byName.get(read(asksForHistory, body).source)
      return historyFor(roster.sources.get(url ?? ''), store)
    }
    return heed(node, read(tellsOfNews, body))
  }

  function documentFor(
    node: string,
    { source, have }: z.infer<typeof asksForDocument>,
  ): z.input<typeof passedDocument> {
    const url = roster.names(node).byName.get(source)
    const document = url === undefined ? undefined : documents.get(url)
    const restMs = url === undefined ? 0 : documents.restUntil(url) - clock.now()
    if (restMs > 0) return { kind: 'resting', forMs: restMs }
    if (document === undefined) return { kind: 'none' }
    const ageMs = Math.max(0, clock.now() - document.checkedAt)
    if (document.digest === have) return { kind: 'same', ageMs }
    const { status, finalUrl, contentType, etag, lastModified } = document.content
    const body = Buffer.from(document.content.body).toString('base64')
    return { kind: 'document', ageMs, body, status, finalUrl, contentType, etag, lastModified }
  }

  /** News is a reason to look, as a push is. */
  async function heed(node: string, { sources }: z.infer<typeof tellsOfNews>): Promise<object> {
    const { byName } = roster.names(node)
    const ids = sources.flatMap((name) => roster.sources.get(byName.get(name) ?? '') ?? [])
    if (ids.length > 0) {
      roster.count(node, 'news')
      await store.requestRefresh(ids, clock.now(), 'push')
    }
    return {}
  }
}

function read<Value>(schema: z.ZodType<Value>, body: string): Value {
  try {
    return schema.parse(JSON.parse(body))
  } catch (cause) {
    throw new HeadwaterError('REQUEST_INVALID', undefined, { cause })
  }
}
