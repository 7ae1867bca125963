import { scryptSync } from 'node:crypto'
import type { AccessTable } from '../../src/access/index.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { addPerson } from '../support/people.ts'
import { addSource, storeItems } from '../support/publishing.ts'
import type { AccessAnswer, Headers, Listening } from './asking.ts'
import { type Account, type Credential, type ModelFeed, type ModelSource, type ModelState, STRANGER } from './oracle.ts'
import { type AccessStage, openAccessStage } from './stage.ts'

/** A credential and how it is shown. */
export interface Bearer extends Credential {
  readonly words: string
  readonly headers: Headers
  /** For readers that can send nothing but an address. */
  readonly secret: string | null
}

export const NOBODY: Bearer = { ...STRANGER, words: 'a stranger', headers: {}, secret: null }

export const PASSWORD = 'right words here'
const SALT = Buffer.alloc(16)
/** At the least cost that scrypt knows: how strongly a password is hashed is not tested here. */
const PASSWORD_HASH = `scrypt$2$1$1$${SALT.toString('base64url')}$${scryptSync(PASSWORD, SALT, 32, { N: 2, r: 1, p: 1 }).toString('base64url')}`

const LETTERS = [...'bcdfghjklmnpqrstvwxz']
/** Every so often a world is requested through a socket. */
const HTTP_EVERY = 25

/** A node with people, sources and feeds, and beside it what it ought to do. */
export class AccessWorld implements ModelState {
  readonly seed: number
  readonly stage: AccessStage
  readonly random: () => number
  readonly differences: string[] = []
  readonly feeds = new Map<string, ModelFeed>()
  readonly sources: ModelSource[] = []
  accounts: (Account & { readonly name: string })[] = []
  bearers: Bearer[] = [NOBODY]
  hidden: ReadonlySet<string> = new Set()
  /** Where feeds are written to: by feed, the paths as they were given. */
  readonly outputs = new Map<number, string[]>()
  readonly listeners: { readonly who: Bearer; readonly stream: Listening }[] = []
  /** Names of feeds that were dropped. */
  readonly former: string[] = []
  /** Of documents that somebody got. */
  readonly etags = new Map<string, string>()
  /** Feeds are made as access is now. */
  isSettled = true
  requests = 0
  /** What was done, and by whom. */
  private readonly auditLog: (readonly [number, string])[] = []
  /** A node lets nobody try passwords often. */
  logIns = 0
  private lastFeed = 0

  private constructor(seed: number, stage: AccessStage) {
    this.seed = seed
    this.stage = stage
    this.random = seededRandom(seed)
  }

  static async open(seed: number, table?: AccessTable): Promise<AccessWorld> {
    const world = new AccessWorld(seed, await openAccessStage({ table, isOverHttp: seed % HTTP_EVERY === 0 }))
    for (const name of ['owner', 'ann', 'bob']) await world.join(name)
    await world.addSources()
    return world
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.random() * from.length)]!
  }

  /** So many of them, or all. */
  some<T>(from: readonly T[], count: number): readonly T[] {
    const remaining = [...from]
    const picks: T[] = []
    while (picks.length < count && remaining.length > 0)
      picks.push(...remaining.splice(Math.floor(this.random() * remaining.length), 1))
    return picks
  }

  /** Somebody; more often than not one who may change the feed, or what all share. */
  likely(feed: ModelFeed | undefined): Bearer {
    const { id } = feed?.owner.id ? feed.owner : this.accounts[0]!
    const sessions = this.bearers.filter(({ scope, account }) => scope === 'session' && account?.id === id)
    return this.random() < 0.6 && sessions.length > 0 ? this.pick(sessions) : this.pick(this.bearers)
  }

  /** Far from all others, so that no hint of a mistake names one for another. */
  newName(): string {
    return `q${Array.from({ length: 10 }, () => this.pick(LETTERS)).join('')}`
  }

  newFeedId(): number {
    return ++this.lastFeed
  }

  async settle(): Promise<void> {
    await this.stage.settle()
    this.isSettled = true
  }

  async ask(who: Bearer, method: string, path: string, body?: unknown, more: Headers = {}): Promise<AccessAnswer> {
    this.requests += 1
    const answer = await this.stage.ask(method, path, { ...who.headers, ...more }, body)
    const question = `${path} ${JSON.stringify(body ?? null)}`
    this.listen(who, question, answer.text)
    if (method !== 'GET' && answer.status < 300) this.auditLog.push([who.account?.id ?? 0, question])
    return answer
  }

  check(isRight: boolean, what: string, answer: AccessAnswer): void {
    if (!isRight) this.differences.push(`${what}: ${answer.status} ${answer.text.slice(0, 3_000)}`)
  }

  /** No answer names a feed that its reader may not know of, unless the question did. */
  listen(who: Bearer, question: string, text: string): void {
    for (const feed of this.feeds.values()) {
      const isKnown = !feed.isPrivate || (who.account !== null && this.mayKnow(who.account, feed))
      if (isKnown || question.includes(feed.name) || !text.includes(feed.name)) continue
      if (!this.isOfOwnAudit(who, question, feed.name))
        this.differences.push(`${who.words} learns of ${feed.name} by ${question}`)
    }
  }

  /** One's own tokens and part of the audit log still name what was public, or another feed, at the time. */
  private isOfOwnAudit({ account }: Bearer, question: string, name: string): boolean {
    if (!/^\/api\/(tokens|audit)[ ?]/.test(question)) return false
    return this.auditLog.some(([by, deed]) => by === account?.id && deed.includes(name))
  }

  private mayKnow(account: Account, feed: ModelFeed): boolean {
    const isNamed = ({ owner, reads }: ModelFeed) =>
      owner.id === account.id && reads.some((input) => input.kind === 'feed' && input.name === feed.name)
    // Users who wrote its name into a feed of their own see that this feed lacks it.
    return account.isNodeOwner || account.id === feed.owner.id || [...this.feeds.values()].some(isNamed)
  }

  async join(name: string): Promise<void> {
    const isNodeOwner = name === 'owner'
    const { store } = this.stage
    const { user, cookie } = await addPerson(store, name, isNodeOwner ? 'owner' : 'member', systemClock.now())
    await store.setPassword(user.id, PASSWORD_HASH)
    const account = { id: user.id, isNodeOwner, name }
    this.accounts.push(account)
    this.enter(account, cookie)
  }

  enter(account: AccessWorld['accounts'][number], cookie: string): void {
    const words = `a session of ${account.name}`
    const plain = { scope: 'session' as const, only: null, feedId: null, secret: null }
    this.bearers.push({ ...plain, account, words, headers: { cookie } })
  }

  private async addSources(): Promise<void> {
    for (const [index, category] of ['News', 'News', 'Arts'].entries()) {
      const name = `source${index}`
      const titles = [`title-${index}-a`, `title-${index}-b`]
      const { id } = await addSource(this.stage.store, `http://s${index}.invalid/`, { name, categories: [category] })
      const items = titles.map((title) => ({ title, id: title, key: title, guid: title }))
      await storeItems(this.stage.store, id, items as never)
      this.sources.push({ name, path: `/feeds/source/${id}`, category, titles })
    }
  }
}
