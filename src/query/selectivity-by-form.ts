import type { MatchSource } from './item/arrival.ts'
import { originAtom, originAtomsOf } from './item/atoms.ts'
import type { FeedQuery, ItemOrigin } from './language/ast.ts'
import { specialise, specialiseJoin } from './plan/specialise.ts'

/*
 * What a query matches by its form: where nothing is said about the items of an origin, every one of them matches, and its
 * selectivity (thesis 2.1) is 1 without counting, also before the first item.
 */

/** Origins of which a query keeps every item: no filter, no join and no DISTINCT concerns them. */
export function unfilteredOrigins({ sources, joins, where, distinct }: FeedQuery): readonly ItemOrigin[] {
  if (distinct !== null) return []
  const isFree = (variable: string | null) =>
    (where === null || specialise(where, variable) === null) &&
    joins.every((join) => specialiseJoin(join, variable) === null)
  return sources.filter(({ variable }) => isFree(variable)).map(({ origin }) => origin)
}

/** Of which sources a feed keeps every item. */
export interface FeedForm {
  /** Of all of them. */
  readonly isAll: boolean
  /** Names of origins (match/atoms.ts). */
  readonly atoms: ReadonlySet<string>
}

/** Of feeds by name; one that reads another without a condition keeps what that one keeps. */
export function formsOf(unfiltered: ReadonlyMap<string, readonly ItemOrigin[]>): ReadonlyMap<string, FeedForm> {
  const forms = new Map<string, FeedForm>()
  for (const name of unfiltered.keys()) forms.set(name, formOf(name, unfiltered))
  return forms
}

function formOf(name: string, unfiltered: ReadonlyMap<string, readonly ItemOrigin[]>): FeedForm {
  const atoms = new Set<string>()
  const seen = new Set([name])
  let isAll = false
  // The set grows while it is walked through.
  for (const feed of seen) {
    for (const origin of unfiltered.get(feed) ?? []) {
      const atom = originAtom(origin)
      if (atom === null) isAll = true
      else atoms.add(atom)
      if (origin.kind === 'name') seen.add(origin.name)
    }
  }
  return { isAll, atoms }
}

/** For many sources: which of the feeds keep every item of one. */
export function keepersByForm<Id>(forms: ReadonlyMap<Id, FeedForm>): (source: MatchSource) => ReadonlySet<Id> {
  const ofAll = [...forms].filter(([, { isAll }]) => isAll).map(([id]) => id)
  const byAtom = new Map<string, Id[]>()
  for (const [id, { isAll, atoms }] of forms) {
    for (const atom of isAll ? [] : atoms) byAtom.set(atom, [...(byAtom.get(atom) ?? []), id])
  }
  return (source) => new Set([...ofAll, ...originAtomsOf({ source }).flatMap((atom) => byAtom.get(atom) ?? [])])
}
