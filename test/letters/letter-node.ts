import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { createLetterSources, type LetterSource } from '../../src/app/letters/letter-sources.ts'
import { type RunningNode, startNode } from '../../src/app/node.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLogger } from '../../src/runtime/logger.ts'
import { seededRandom } from '../../src/runtime/random.ts'

export const DOMAIN = 'letters.example'

/** What a mail server said: 250, or why not. */
export interface Answer {
  readonly code: number
  readonly text: string
}

export interface LetterNode {
  readonly node: RunningNode
  readonly dataDir: string
  addBox(senders?: readonly string[]): Promise<LetterSource & { readonly address: string }>
  close(): Promise<void>
}

/** A whole node that takes letters on loopback. */
export async function startLetterNode(flags: Readonly<Record<string, unknown>> = {}): Promise<LetterNode> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-letters-'))
  const always = { port: 0, smtpIn: '127.0.0.1:0', mailDomain: DOMAIN }
  const config = loadConfig(dataDir, { ...always, ...flags }, {})
  const environment = { clock: systemClock, random: seededRandom(1), logger: silentLogger }
  const node = await startNode(config, environment, { ownerPassword: 'correct horse battery' })
  const sources = createLetterSources({ store: node.data.store, domain: () => DOMAIN, clock: systemClock })
  return {
    node,
    dataDir,
    async addBox(senders = []) {
      const box = await sources.add({ name: 'The Weekly', senders }, null)
      if (box.address === null) throw new Error('no address')
      return { ...box, address: box.address }
    },
    async close() {
      await node.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A real client sends it: as composed, or `raw` as it is. */
export async function send(port: number | null, mail: SendMailOptions): Promise<Answer> {
  const transport = createTransport({ host: '127.0.0.1', port: port ?? 0, tls: { rejectUnauthorized: false } })
  try {
    const { response } = await transport.sendMail(mail)
    return answerOf(response)
  } catch (error) {
    const response = error instanceof Error && 'response' in error ? String(error.response) : String(error)
    return answerOf(response)
  } finally {
    transport.close()
  }
}

export function sendRaw(port: number | null, raw: string | Buffer, to: string, from = 'ada@weekly.example') {
  return send(port, { envelope: { from, to }, raw })
}

function answerOf(response: string): Answer {
  return { code: Number(response.slice(0, 3)), text: response.slice(4) }
}

export interface FeedItem {
  readonly id: string
  readonly title?: string
  readonly url?: string
  readonly content_html?: string
  readonly date_published?: string
  readonly language?: string
  readonly authors?: readonly { readonly name?: string }[]
}

/** The published feed of a source, as readers get it. */
export async function readFeed({ url }: Pick<RunningNode, 'url'>, sourceId: number): Promise<readonly FeedItem[]> {
  const response = await fetch(`${url}/feeds/source/${sourceId}.json`)
  const { items } = (await response.json()) as { items: readonly FeedItem[] }
  return items
}
