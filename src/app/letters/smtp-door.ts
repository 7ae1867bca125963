import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import type { SMTPServer, SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import { addressGroup } from '../../api/access/address-group.ts'
import { RateLimit } from '../../letters/rate-limit.ts'
import { type DurationMs, HOUR_MS, MINUTE_MS, SECOND_MS, type Source } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Layer } from '../../runtime/supervisor.ts'
import { createWorkQueue } from '../../runtime/work-queue.ts'
import type { LetterIntake } from './letter-intake.ts'
import {
  isOwnTrouble,
  isPaused,
  noRoom,
  noSuchMailbox,
  refusalFor,
  tooLarge,
  tooManyConnections,
  tooManyLetters,
  tooManyTries,
} from './smtp-replies.ts'

export interface SmtpDoorOptions {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** What it is called in its greeting, and the part of addresses behind the @. */
  readonly domain: string
  readonly maxLetterBytes: number
  /** For STARTTLS; null: it is not offered. */
  readonly certificate: { readonly key: Buffer; readonly cert: Buffer } | null
  readonly limits?: Partial<DoorLimits>
}

export interface DoorLimits {
  readonly connections: number
  readonly connectionsPerAddress: number
  /** Whatever a connection does, it ends after so long. */
  readonly connectionMs: DurationMs
  readonly idleMs: DurationMs
  /** Recipients that are not there, before a connection is closed. */
  readonly unknownRecipients: number
  readonly lettersPerSourceHour: number
  readonly lettersPerSenderHour: number
  /** Being received or waiting to be read, all together, as multiples of the largest letter. */
  readonly lettersInMemory: number
}

/** A mail server in front of the node may open some twenty connections, all from one address. */
const USUAL_LIMITS: DoorLimits = {
  connections: 50,
  connectionsPerAddress: 25,
  connectionMs: 10 * MINUTE_MS,
  idleMs: MINUTE_MS,
  unknownRecipients: 5,
  lettersPerSourceHour: 120,
  lettersPerSenderHour: 600,
  lettersInMemory: 4,
}
const WAIT_FOR_SENDERS_MS = 2 * SECOND_MS
const STORED = '2.0.0 Stored'

export interface SmtpDoor {
  readonly port: number
  /** Opens it again if the system takes it away. */
  readonly layer: Layer
  /** When what was being stored is. */
  close(): Promise<void>
}

export interface SmtpDoorDeps {
  readonly intake: LetterIntake
  readonly clock: Clock
  readonly logger: Pick<Logger, 'warn' | 'error'>
}

/** Takes letters for sources, and for nobody else. Listens when this returns; throws PORT_IN_USE. */
export async function openSmtpDoor(options: SmtpDoorOptions, deps: SmtpDoorDeps): Promise<SmtpDoor> {
  const visitors = new Visitors(options, deps)
  let listening: Listening | null = await listen(options, visitors, deps)
  const { port } = listening
  return {
    port,
    layer: {
      name: 'letters',
      async run(end) {
        listening ??= await listen({ ...options, port }, visitors, deps)
        const { failed } = listening
        try {
          await Promise.race([failed, untilAborted(end)])
        } catch (error) {
          await listening.close()
          listening = null
          throw error
        }
      },
    },
    async close() {
      await listening?.close()
      await visitors.idle()
    },
  }
}

function untilAborted(end: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (end.aborted) resolve()
    else end.addEventListener('abort', () => resolve(), { once: true })
  })
}

interface Listening {
  readonly port: number
  /** Rejects when it listens no more. */
  readonly failed: Promise<never>
  close(): Promise<void>
}

async function listen(options: SmtpDoorOptions, visitors: Visitors, deps: SmtpDoorDeps): Promise<Listening> {
  const { SMTPServer } = await import('smtp-server')
  const server = new SMTPServer(serverOptions(options, visitors))
  const { host, port } = options
  // Of single connections: they end, and whoever sent will try again.
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => visitors.arrive(socket))
  server.listen(port, host)
  try {
    await once(server.server, 'listening')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new HeadwaterError('PORT_IN_USE', `${host}:${port}, of --smtp-in`, { cause: error })
    throw error
  }
  const failed = new Promise<never>((_, reject) => server.server.once('error', reject))
  failed.catch((error: unknown) => deps.logger.error({ err: error }, 'letters are not taken any more'))
  return {
    port: portOf(server),
    failed,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function portOf({ server }: SMTPServer): number {
  return (server.address() as AddressInfo).port
}

function serverOptions(options: SmtpDoorOptions, visitors: Visitors): SMTPServerOptions {
  const { domain, maxLetterBytes, certificate } = options
  const { connections, idleMs } = visitors.limits
  return {
    name: domain,
    size: maxLetterBytes,
    maxClients: connections,
    // Each source has its own answer; who has more recipients comes again for the next (RFC 5321 §4.5.3.1.10).
    maxRecipients: 1,
    socketTimeout: idleMs,
    closeTimeout: WAIT_FOR_SENDERS_MS,
    // Nobody logs in here, and so nobody sends through here.
    authOptional: true,
    disabledCommands: certificate === null ? ['AUTH', 'STARTTLS'] : ['AUTH'],
    ...(certificate ?? {}),
    disableReverseLookup: true,
    logger: false,
    onConnect: (session, done) => answer(visitors.enter(session), done),
    onMailFrom: ({ address }, _session, done) => answer(visitors.begin(address), done),
    onRcptTo: ({ address }, session, done) => answer(visitors.name(address, session), done),
    onData: (stream, session, done) =>
      void visitors.hand(stream, session).then(
        () => done(null, STORED),
        (error: unknown) => done(refusalFor(error)),
      ),
  }
}

function answer(step: Promise<void>, done: (error?: Error | null) => void): void {
  step.then(
    () => done(),
    (error: unknown) => done(refusalFor(error)),
  )
}

/** Those who are at the door, and what each may still do. */
class Visitors {
  readonly limits: DoorLimits
  private readonly options: SmtpDoorOptions
  private readonly deps: SmtpDoorDeps
  private readonly connected = new Map<string, number>()
  private readonly unknown = new WeakMap<SMTPServerSession, number>()
  private readonly bySource: RateLimit
  private readonly bySender: RateLimit
  /** One letter is taken apart at a time: the memory that this needs is that of one. */
  private readonly queue = createWorkQueue({ name: 'letters', atOnce: 1, mostWaiting: 100, deadlineMs: MINUTE_MS })
  private readonly working = new Set<Promise<unknown>>()
  private bytesInMemory = 0

  constructor(options: SmtpDoorOptions, deps: SmtpDoorDeps) {
    this.options = options
    this.deps = deps
    this.limits = { ...USUAL_LIMITS, ...options.limits }
    this.bySource = new RateLimit(this.limits.lettersPerSourceHour, HOUR_MS)
    this.bySender = new RateLimit(this.limits.lettersPerSenderHour, HOUR_MS)
  }

  arrive(socket: Socket): void {
    const group = addressGroup(socket.remoteAddress ?? '')
    const gone = new AbortController()
    this.connected.set(group, (this.connected.get(group) ?? 0) + 1)
    socket.once('close', () => {
      gone.abort()
      const left = (this.connected.get(group) ?? 1) - 1
      if (left > 0) this.connected.set(group, left)
      else this.connected.delete(group)
    })
    void this.deps.clock.sleep(this.limits.connectionMs, gone.signal).then(() => socket.destroy())
  }

  async enter({ remoteAddress }: SMTPServerSession): Promise<void> {
    const connections = this.connected.get(addressGroup(remoteAddress)) ?? 0
    if (connections > this.limits.connectionsPerAddress) throw tooManyConnections()
  }

  async begin(sender: string): Promise<void> {
    if (!this.bySender.take(sender.toLowerCase().slice(0, 320), this.deps.clock.now())) throw tooManyLetters()
  }

  async name(recipient: string, session: SMTPServerSession): Promise<void> {
    const source = await this.sourceOf(recipient, session)
    if (source.paused) throw isPaused()
    if (!this.bySource.take(String(source.id), this.deps.clock.now())) throw tooManyLetters()
  }

  private async sourceOf(recipient: string, session: SMTPServerSession): Promise<Source> {
    const source = await this.deps.intake.find(recipient)
    if (source !== null) return source
    const tries = (this.unknown.get(session) ?? 0) + 1
    this.unknown.set(session, tries)
    throw tries > this.limits.unknownRecipients ? tooManyTries() : noSuchMailbox()
  }

  /** The sender is told that it has the letter only when this resolves, which is when it is stored. */
  hand(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const work = this.receive(stream, session).catch((error: unknown) => {
      if (isOwnTrouble(error)) this.deps.logger.warn({ err: error }, 'a letter could not be stored; it will come again')
      throw error
    })
    const over = work.catch(() => {}).finally(() => this.working.delete(over))
    this.working.add(over)
    return work
  }

  private async receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const chunks: Buffer[] = []
    let bytes = 0
    try {
      let refusal: Error | null = null
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        // What is too much is still read to its end, as the protocol has it, but not stored.
        if (refusal !== null) continue
        bytes += chunk.length
        this.bytesInMemory += chunk.length
        chunks.push(chunk)
        refusal = this.refusalOf(bytes)
        if (refusal !== null) chunks.length = 0
      }
      if (refusal !== null) throw refusal
      await this.store(Buffer.concat(chunks), session)
    } finally {
      this.bytesInMemory -= bytes
    }
  }

  private refusalOf(bytes: number): Error | null {
    const { maxLetterBytes } = this.options
    if (bytes > maxLetterBytes) return tooLarge()
    return this.bytesInMemory > this.limits.lettersInMemory * maxLetterBytes ? noRoom() : null
  }

  private async store(raw: Buffer, session: SMTPServerSession): Promise<void> {
    const { intake } = this.deps
    const [recipient] = session.envelope.rcptTo
    // It may have been revoked while the letter came.
    const source = recipient === undefined ? null : await intake.find(recipient.address)
    if (source === null) throw noSuchMailbox()
    await this.queue.run(() => intake.accept(raw, source.id))
  }

  /** When nothing is being stored any more. */
  async idle(): Promise<void> {
    while (this.working.size > 0) await Promise.all(this.working)
  }
}
