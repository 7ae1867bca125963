import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { Source, SourceId } from '../src/model/index.ts'
import { type BenchChild, startChild } from './child-process.ts'
import { openLink, type TerminalOrder, type TerminalReport } from './terminals-link.ts'
import type { Recorder } from './terminals-record.ts'

/** A terminal process, as the controller sees it. */
export interface Terminal {
  /** Has it fetch a feed and stores what it hands over; resolves when it has written down that this is stored. */
  refresh(source: Source, hasChecks: boolean, recorder: Recorder): Promise<void>
  /** What it has handed over since it began. */
  bytesRead(): number
  cpuMs(): Promise<number>
}

export interface TerminalsController {
  readonly terminals: readonly Terminal[]
  close(): Promise<void>
}

type TerminalProcess = BenchChild<object, { readonly cpuMs: number }>

/** Only the controller speaks with the database (advaRSS II): terminals are connected to it alone. */
export async function startController(terminalCount: number, folder: string): Promise<TerminalsController> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const children: TerminalProcess[] = []
  const terminals: Terminal[] = []
  // One after the other, so that each connection is known to be that of its process.
  while (children.length < terminalCount) {
    const connected: Promise<Socket[]> = once(server, 'connection')
    const child: TerminalProcess = await startChild('terminal.child', [String(port), folder])
    children.push(child)
    for (const socket of await connected) terminals.push(terminalAt(socket, child))
  }
  return {
    terminals,
    async close() {
      await Promise.all(children.map((child) => child.close()))
      server.close()
    },
  }
}

interface Waiting {
  readonly resolve: (report: TerminalReport) => void
  readonly reject: (error: Error) => void
}

function terminalAt(socket: Socket, child: TerminalProcess): Terminal {
  const waiting = new Map<SourceId, Waiting>()
  const link = openLink<TerminalReport, TerminalOrder>(socket, (report) => {
    const { sourceId } = report
    if (report.kind === 'failed') waiting.get(sourceId)?.reject(new Error(`source ${sourceId}: ${report.message}`))
    else waiting.get(sourceId)?.resolve(report)
  })
  socket.on('error', () => {})
  socket.once('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('a terminal has gone'))
  })
  const answer = (sourceId: SourceId, order: TerminalOrder) =>
    new Promise<TerminalReport>((resolve, reject) => {
      waiting.set(sourceId, { resolve, reject })
      link.send(order)
    })
  return {
    async refresh(source, hasChecks, recorder) {
      const { id: sourceId, url } = source
      const report = await answer(sourceId, { kind: 'refresh', sourceId, url, hasChecks })
      if (report.kind === 'unchanged' || report.kind === 'articles') await recorder.record(source, report)
      await answer(sourceId, { kind: 'stored', sourceId })
      waiting.delete(sourceId)
    },
    bytesRead: () => link.bytesRead(),
    cpuMs: async () => (await child.ask({})).cpuMs,
  }
}
