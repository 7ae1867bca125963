import type { ServerResponse } from 'node:http'
import type { InstantMs, SourceId, UserId } from '../model/index.ts'

/** What happens on the node, for listeners. */
export type NodeEvent =
  | {
      readonly kind: 'refresh'
      readonly sourceId: SourceId
      readonly at: InstantMs
      readonly newItems: number
      readonly error: string | null
    }
  | {
      readonly kind: 'items'
      readonly count: number
      readonly sourceIds: readonly SourceId[]
    }
  | { readonly kind: 'job'; readonly job: unknown }
  | { readonly kind: 'queries' }
  /** An alarm came or went. */
  | { readonly kind: 'alarms' }

export interface EventHub {
  /** `onlyTo`: a user; absent: everybody. */
  tell(event: NodeEvent, onlyTo?: UserId): void
  /** Refreshes are sent one by one only while somebody listens. */
  readonly listeners: number
  /** `isStillIn`: whether what the listener came with still opens the stream; it ends when that is no longer so. */
  listen(response: ServerResponse, userId: UserId, isStillIn: () => Promise<boolean>): void
  /** Sessions, tokens or users have changed: listeners that lost their access get nothing more. */
  review(): Promise<void>
  close(): void
}

const MOST_LISTENERS = 100
const MOST_PER_USER = 20
/** A listener that does not read is cut off; it reconnects by itself. */
const MOST_WAITING_BYTES = 1_000_000
/** Also how long a listener stays whom another process has shut out. */
const KEEP_ALIVE_MS = 25_000

interface Listener {
  readonly userId: UserId
  readonly isStillIn: () => Promise<boolean>
}

/** Server-sent events (HTML Living Standard 9.2): the same bytes to everybody, nothing is stored for listeners that are away. */
export function createEventHub(): EventHub {
  const responses = new Map<ServerResponse, Listener>()
  const send = (text: string, onlyTo?: UserId) => {
    for (const [response, { userId }] of responses) {
      if (onlyTo !== undefined && onlyTo !== userId) continue
      if (response.writableLength > MOST_WAITING_BYTES) response.destroy()
      else response.write(text)
    }
  }
  const review = async () => {
    for (const [response, { isStillIn }] of [...responses]) {
      // Where nobody can say, as on a full disk, it stays.
      if (await isStillIn().catch(() => true)) continue
      responses.delete(response)
      response.end()
    }
  }
  const keepAlive = () => {
    send(': \n\n')
    void review()
  }
  let beat: NodeJS.Timeout | null = null
  return {
    review,
    get listeners() {
      return responses.size
    },
    tell(event, onlyTo) {
      if (responses.size === 0) return
      const { kind, ...rest } = event
      const data = event.kind === 'job' ? event.job : rest
      send(`event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`, onlyTo)
    },
    listen(response, userId, isStillIn) {
      const own = [...responses].filter(([, listener]) => listener.userId === userId).map(([one]) => one)
      // A user who opens many loses their own ones first: nobody pushes the others out.
      if (own.length >= MOST_PER_USER) own[0]?.destroy()
      else if (responses.size >= MOST_LISTENERS) responses.keys().next().value?.destroy()
      responses.set(response, { userId, isStillIn })
      response.on('close', () => responses.delete(response))
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        // Nothing follows on it; kept alive, it would hold up the end of the node.
        connection: 'close',
        'x-content-type-options': 'nosniff',
      })
      response.write('retry: 3000\n\n')
      beat ??= setInterval(keepAlive, KEEP_ALIVE_MS).unref()
    },
    close() {
      if (beat !== null) clearInterval(beat)
      for (const response of responses.keys()) response.end()
      responses.clear()
    },
  }
}
