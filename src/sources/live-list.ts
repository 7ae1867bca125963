import type { ListEntry } from './list-collector.ts'

/** What a list at an address has brought: by the address of each source, the folders that the list puts it into. */
export type ListMembers = Readonly<Record<string, readonly string[]>>

export interface ListStep {
  /** New in the list: to be followed, unless they are already. */
  readonly add: readonly {
    readonly url: string
    readonly name: string | null
    readonly categories: readonly string[]
  }[]
  /** The list has put them into other folders. */
  readonly refile: readonly { readonly url: string; readonly from: readonly string[]; readonly to: readonly string[] }[]
  /** They have left the list: paused, not removed, because their items would go with them. */
  readonly pause: readonly string[]
  /** They had left it, and are back. */
  readonly resume: readonly string[]
  readonly members: ListMembers
  readonly left: readonly string[]
}

/**
 * What to do so that the sources are in step with the list again. Addresses are those that sources have. `known`: sources that
 * are there without the list, which it does not touch.
 */
export function followList(
  entries: readonly ListEntry[],
  { members, left }: { readonly members: ListMembers; readonly left: readonly string[] },
  known: ReadonlySet<string>,
): ListStep {
  const listed = new Map(entries.map((entry) => [entry.url, entry]))
  const isMember = (url: string) => Object.hasOwn(members, url)
  const mine = [...listed.values()].filter(({ url }) => isMember(url) || !known.has(url))
  const gone = Object.keys(members).filter((url) => !listed.has(url))
  return {
    add: mine.filter(({ url }) => !isMember(url)),
    refile: mine.flatMap(({ url, categories: to }) => {
      const from = members[url] ?? to
      return isSame(from, to) ? [] : [{ url, from, to }]
    }),
    pause: gone.filter((url) => !left.includes(url)),
    resume: left.filter((url) => listed.has(url)),
    members: Object.fromEntries([
      ...gone.map((url) => [url, members[url] ?? []]),
      ...mine.map(({ url, categories }) => [url, categories]),
    ]),
    left: gone,
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at])
}
