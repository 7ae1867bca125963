import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
}

/** A real SMTP server in a process of its own, on loopback. */
export interface MailServer {
  readonly url: string
  readonly mails: readonly ReceivedMail[]
  /** What it answers from now on: a status of SMTP, or `ok`. */
  answer(status: number | 'ok'): Promise<void>
  close(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(
    process.execPath,
    [join(import.meta.dirname, 'smtp-server.mjs')],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  const mails: ReceivedMail[] = []
  const waiting: ((line: Record<string, unknown>) => void)[] = []
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text)
    if ('raw' in line) mails.push(line)
    else waiting.shift()?.(line)
  })
  const next = () => new Promise<Record<string, unknown>>((resolve) => waiting.push(resolve))
  const { port } = await next()
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    async answer(status) {
      const answer = next()
      child.stdin.write(`${status}\n`)
      await answer
    },
    async close() {
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    },
  }
}

/** The header fields of a mail, unfolded, by lower-case name, and what follows them. */
export function readMail(raw: string): { readonly fields: Readonly<Record<string, string>>; readonly body: string } {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const fields = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return { fields, body: raw.slice(end + 4) }
}
