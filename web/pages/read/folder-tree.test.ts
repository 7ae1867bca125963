import { describe, expect, it } from 'vitest'
import { folderTree } from './folder-tree.ts'

const source = (sourceId: number, category: string | null) => ({ sourceId, name: `s${sourceId}`, category, unread: 1 })

describe('the tree of folders', () => {
  it('nests folders, and hangs each feed below its own', () => {
    const { folders, loose } = folderTree({
      categories: [
        { category: 'News', unread: 3 },
        { category: 'News/World', unread: 2 },
        { category: 'Newsletters', unread: 0 },
      ],
      sources: [source(1, 'News'), source(2, 'News/World'), source(3, 'News/World'), source(4, null)],
    })
    expect(folders.map(({ name }) => name)).toEqual(['News', 'Newsletters'])
    expect(folders[0]?.feeds.map(({ sourceId }) => sourceId)).toEqual([1])
    expect(folders[0]?.folders.map(({ path, name, unread }) => [path, name, unread])).toEqual([
      ['News/World', 'World', 2],
    ])
    expect(folders[0]?.folders[0]?.feeds.map(({ sourceId }) => sourceId)).toEqual([2, 3])
    expect(loose.map(({ sourceId }) => sourceId)).toEqual([4])
  })
})
