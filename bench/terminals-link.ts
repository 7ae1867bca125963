import type { Socket } from 'node:net'
import type { DurationMs, ParsedItem, SourceId } from '../src/model/index.ts'

/** What the controller says to a terminal. */
export type TerminalOrder =
  | { readonly kind: 'refresh'; readonly sourceId: SourceId; readonly url: string; readonly hasChecks: boolean }
  /** What it handed over is in the database: from now on it may count as known. */
  | { readonly kind: 'stored'; readonly sourceId: SourceId }

export interface FetchReport {
  readonly sourceId: SourceId
  readonly bytes: number
  readonly latencyMs: DurationMs
}

/** And a terminal to the controller. */
export type TerminalReport =
  | (FetchReport & { readonly kind: 'unchanged' })
  | (FetchReport & { readonly kind: 'articles'; readonly items: readonly ParsedItem[]; readonly windowSize: number })
  | { readonly kind: 'failed'; readonly sourceId: SourceId; readonly message: string }
  /** Its local files are written. */
  | { readonly kind: 'done'; readonly sourceId: SourceId }

export interface Link<Outgoing> {
  send(message: Outgoing): void
  bytesRead(): number
  close(): void
}

const LINE_END = 0x0a

/** Messages as lines of JSON over a connection. */
export function openLink<Incoming, Outgoing>(socket: Socket, onMessage: (message: Incoming) => void): Link<Outgoing> {
  socket.setNoDelay(true)
  // Not readline: it ends lines at U+2028 too, which stands in texts.
  let parts: Buffer[] = []
  socket.on('data', (data: Buffer) => {
    let from = 0
    for (let end = data.indexOf(LINE_END); end !== -1; end = data.indexOf(LINE_END, from)) {
      const line = Buffer.concat([...parts, data.subarray(from, end)]).toString('utf8')
      parts = []
      from = end + 1
      onMessage(JSON.parse(line))
    }
    if (from < data.length) parts.push(data.subarray(from))
  })
  return {
    send: (message) => void socket.write(`${JSON.stringify(message)}\n`),
    bytesRead: () => socket.bytesRead,
    close: () => void socket.end(),
  }
}
