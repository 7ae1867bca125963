import type { AccessTable } from '../../src/access/index.ts'
import { savePrivateFeeds } from '../../src/publisher/feed-access.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { seededRandom } from '../../src/runtime/random.ts'
import { addPerson } from '../support/people.ts'
import { addSource, storeItems } from '../support/publishing.ts'
import { type Account, type Credential, type ModelFeed, type ModelSource, type ModelState, STRANGER } from './oracle.ts'
import { type Answered, openStage, type Stage } from './stage.ts'

/** A credential and how it is shown. */
export interface Bearer extends Credential {
  readonly words: string
  readonly headers: Readonly<Record<string, string>>
  /** For readers that can send nothing but an address. */
  readonly secret: string | null
}

export const NOBODY: Bearer = { ...STRANGER, words: 'a stranger', headers: {}, secret: null }

/** A node with people, sources and feeds, and beside it what it ought to do. */
export class World {
  readonly stage: Stage
  readonly random: () => number
  readonly differences: string[] = []
  readonly feeds = new Map<string, ModelFeed>()
  readonly sources: ModelSource[] = []
  readonly accounts: Account[] = []
  bearers: Bearer[] = [NOBODY]
  hidden: ReadonlySet<string> = new Set()
  /** Feeds are made as access is now. */
  isSettled = true
  asked = 0
  private lastFeed = 0

  private constructor(seed: number, table?: AccessTable) {
    this.stage = openStage(table)
    this.random = seededRandom(seed)
  }

  static async open(seed: number, table?: AccessTable): Promise<World> {
    const world = new World(seed, table)
    await world.addPeople()
    await world.addSources()
    return world
  }

  get state(): ModelState {
    return this
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.random() * from.length)]!
  }

  /** Far from all others, so that no hint of a mistake names one for another. */
  newName(): string {
    const letters = Array.from({ length: 10 }, () => this.pick([...'bcdfghjklmnpqrstvwxz']))
    return `q${letters.join('')}`
  }

  newFeedId(): number {
    return ++this.lastFeed
  }

  async hide(paths: readonly string[]): Promise<void> {
    this.hidden = new Set(paths)
    await savePrivateFeeds(this.hidden, this.stage.store)
    this.isSettled = false
  }

  async settle(): Promise<void> {
    await this.stage.settle()
    this.isSettled = true
  }

  async ask(who: Bearer, method: string, path: string, body?: unknown): Promise<Answered> {
    this.asked += 1
    const answer = await this.stage.ask(method, path, who.headers, body)
    this.listen(who, path, body, answer)
    return answer
  }

  check(isRight: boolean, what: string, answer: Answered): void {
    if (!isRight) this.differences.push(`${what}: ${answer.status} ${answer.text.slice(0, 3_000)}`)
  }

  /** No answer names a feed that its reader may not know of, unless the question did. */
  private listen(who: Bearer, path: string, body: unknown, { text }: Answered): void {
    const question = `${path} ${JSON.stringify(body ?? null)}`
    for (const feed of this.feeds.values()) {
      const isKnown = !feed.isPrivate || (who.account !== null && this.mayKnow(who, feed))
      if (!isKnown && !question.includes(feed.name) && text.includes(feed.name))
        this.differences.push(`${who.words} is told of ${feed.name} by ${path}`)
    }
  }

  private mayKnow({ account }: Bearer, feed: ModelFeed): boolean {
    const isNamed = ({ owner, reads }: ModelFeed) =>
      owner.id === account!.id && reads.some((input) => input.kind === 'feed' && input.name === feed.name)
    // Who wrote its name into a feed of their own is told that this feed lacks it.
    return account!.isNodeOwner || account!.id === feed.owner.id || [...this.feeds.values()].some(isNamed)
  }

  private async addPeople(): Promise<void> {
    for (const name of ['owner', 'ann', 'bob']) {
      const isNodeOwner = name === 'owner'
      const { user, cookie } = await addPerson(
        this.stage.store,
        name,
        isNodeOwner ? 'owner' : 'member',
        systemClock.now(),
      )
      const account = { id: user.id, isNodeOwner }
      this.accounts.push(account)
      const words = `a session of ${name}`
      this.bearers.push({
        account,
        scope: 'session',
        only: null,
        feedId: null,
        words,
        headers: { cookie },
        secret: null,
      })
    }
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
