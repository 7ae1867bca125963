import type { OperationAnswer } from '../../client/call.ts'

type Unread = OperationAnswer<'unreadCounts'>
export type FeedEntry = Unread['sources'][number]

export interface Folder {
  /** The whole path, as News/World. */
  readonly path: string
  readonly name: string
  readonly unread: number
  readonly folders: readonly Folder[]
  readonly feeds: readonly FeedEntry[]
}

/** Folders within folders, each with its feeds; feeds without a folder stand beside them. */
export function folderTree({ categories, sources }: Pick<Unread, 'categories' | 'sources'>): {
  readonly folders: readonly Folder[]
  readonly loose: readonly FeedEntry[]
} {
  const paths = categories.map(({ category }) => category)
  const unreadOf = new Map(categories.map(({ category, unread }) => [category, unread]))
  const make = (path: string): Folder => ({
    path,
    name: path.split('/').at(-1) ?? path,
    unread: unreadOf.get(path) ?? 0,
    folders: paths.filter((other) => parentOf(other) === path).map(make),
    feeds: sources.filter(({ category }) => category === path),
  })
  return {
    folders: paths.filter((path) => parentOf(path) === null).map(make),
    loose: sources.filter(({ category }) => category === null),
  }
}

function parentOf(path: string): string | null {
  const end = path.lastIndexOf('/')
  return end === -1 ? null : path.slice(0, end)
}
