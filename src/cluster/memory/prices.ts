import type { DurationMs, InstantMs } from '../../model/index.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { CommonPrice, MemberReport, PostedPrice, PriceBoard, ReadReport } from '../prices.ts'

/** The board of a cluster within one process: for the lab and for tests. */
export class MemoryPrices implements PriceBoard {
  private posted: {
    readonly price: Omit<PostedPrice, 'ageMs'>
    readonly token: number
    readonly at: InstantMs
  } | null = null
  private readonly all = new Map<string, { readonly report: MemberReport; readonly at: InstantMs }>()

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  async read(): Promise<PostedPrice | null> {
    return this.readNow()
  }

  async report(memberId: string, report: MemberReport): Promise<PostedPrice | null> {
    return this.reportNow(memberId, report)
  }

  async reports(withinMs: DurationMs): Promise<readonly ReadReport[]> {
    return this.reportsNow(withinMs)
  }

  async setPrice(price: CommonPrice, token: number): Promise<boolean> {
    return this.setPriceNow(price, token)
  }

  /** The same at once, for whoever keeps virtual time. */
  readNow(): PostedPrice | null {
    if (this.posted === null) return null
    return { ...this.posted.price, ageMs: this.clock.now() - this.posted.at }
  }

  reportNow(memberId: string, report: MemberReport): PostedPrice | null {
    this.all.set(memberId, { report, at: this.clock.now() })
    return this.readNow()
  }

  reportsNow(withinMs: DurationMs): readonly ReadReport[] {
    const now = this.clock.now()
    return [...this.all]
      .map(([memberId, { report, at }]) => ({ ...report, memberId, ageMs: now - at }))
      .filter(({ ageMs }) => ageMs <= withinMs)
  }

  setPriceNow(price: CommonPrice, token: number): boolean {
    if (token < (this.posted?.token ?? token)) return false
    const revision = (this.posted?.price.revision ?? 0) + 1
    this.posted = { price: { ...price, revision }, token, at: this.clock.now() }
    return true
  }
}
