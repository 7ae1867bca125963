import type { ItemSeq } from '../../model/index.ts'
import { feedAtom, originAtom } from '../item/atoms.ts'
import type { Join } from '../language/ast.ts'
import { ItemWindow } from './item-window.ts'
import { JoinCheck } from './join-check.ts'
import type { PairFacts } from './pair-facts.ts'
import { JoinParts } from './parts.ts'

const EVERYWHERE = ''

/** The windows of all joins: those that remember the same of the same items are one. */
export class WindowPool {
  private readonly byKey = new Map<string, ItemWindow>()
  private readonly byOrigin = new Map<string, Set<ItemWindow>>()

  get windows(): Iterable<ItemWindow> {
    return this.byKey.values()
  }

  get size(): number {
    return this.byKey.size
  }

  use(join: Join): JoinCheck {
    const parts = new JoinParts(join)
    let window = this.byKey.get(parts.key)
    if (window === undefined) {
      const origins = join.sources.map(({ origin }) => origin)
      window = new ItemWindow(origins, join.window, parts.pairs, parts.questions)
      this.byKey.set(parts.key, window)
      for (const atom of atomsOf(window)) this.fromOrigin(atom).add(window)
    }
    window.users += 1
    return new JoinCheck(join, window, parts)
  }

  release({ join, window }: JoinCheck): void {
    window.users -= 1
    if (window.users > 0) return
    this.byKey.delete(new JoinParts(join).key)
    for (const atom of atomsOf(window)) {
      const same = this.fromOrigin(atom)
      same.delete(window)
      if (same.size === 0) this.byOrigin.delete(atom)
    }
  }

  /** The item enters every window whose origin has one of these names; `edited`: also where it is already. */
  enter(seq: ItemSeq, facts: () => PairFacts, origins: Iterable<string>, edited: boolean): void {
    const entered = new Set<ItemWindow>()
    for (const origin of [EVERYWHERE, ...new Set(origins)]) {
      for (const window of this.byOrigin.get(origin) ?? []) {
        // It may come by several origins of one.
        if (window.origins.length > 1 && entered.has(window)) continue
        if (window.origins.length > 1) entered.add(window)
        window.put(seq, facts())
      }
    }
    if (edited) for (const window of this.byKey.values()) if (window.has(seq)) window.put(seq, facts())
  }

  /** The feed is gone, and what it held is no longer remembered. */
  forgetFeed(name: string): void {
    for (const window of this.byOrigin.get(feedAtom(name)) ?? []) {
      window.clear()
      window.filled = false
    }
  }

  private fromOrigin(atom: string): Set<ItemWindow> {
    let same = this.byOrigin.get(atom)
    if (same === undefined) {
      same = new Set()
      this.byOrigin.set(atom, same)
    }
    return same
  }
}

function atomsOf({ origins }: ItemWindow): ReadonlySet<string> {
  return new Set(origins.map((origin) => originAtom(origin) ?? EVERYWHERE))
}
