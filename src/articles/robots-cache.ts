import type { FetchOutcome } from '../crawler/fetch/fetcher.ts'
import type { Clock } from '../runtime/clock.ts'
import { type RobotsAnswer, type RobotsRules, rulesOf } from './robots.ts'

interface RobotsDeps {
  /** Gets a robots.txt, politely. */
  readonly fetch: (url: string, signal: AbortSignal) => Promise<FetchOutcome>
  /** By what rules know us: the name before the slash counts. */
  readonly userAgent: string
  readonly clock: Pick<Clock, 'now'>
}

const MOST_ORIGINS = 5_000
const MOST_CHARS = 8 * 1024 * 1024

/** What sites let robots fetch. Holds the rules of the sites asked last, so much text at most. */
export class RobotsCache {
  readonly #deps: RobotsDeps
  readonly #rules = new Map<string, RobotsRules>()
  #chars = 0

  constructor(deps: RobotsDeps) {
    this.#deps = deps
  }

  async ask(url: string, signal: AbortSignal): Promise<RobotsAnswer> {
    const { origin } = new URL(url)
    return (await this.#rulesOf(origin, signal)).answer(url)
  }

  get size(): number {
    return this.#rules.size
  }

  async #rulesOf(origin: string, signal: AbortSignal): Promise<RobotsRules> {
    const { clock, fetch, userAgent } = this.#deps
    const known = this.#rules.get(origin)
    if (known !== undefined && clock.now() < known.until) return known
    const rules = rulesOf(origin, await fetch(`${origin}/robots.txt`, signal), userAgent, clock.now())
    // A request that was called off says nothing about the site.
    if (!signal.aborted) this.#remember(origin, rules)
    return rules
  }

  #remember(origin: string, rules: RobotsRules): void {
    this.#forget(origin)
    this.#rules.set(origin, rules)
    this.#chars += rules.chars
    for (const [oldest] of this.#rules) {
      if (this.#rules.size <= MOST_ORIGINS && this.#chars <= MOST_CHARS) break
      this.#forget(oldest)
    }
  }

  #forget(origin: string): void {
    this.#chars -= this.#rules.get(origin)?.chars ?? 0
    this.#rules.delete(origin)
  }
}
