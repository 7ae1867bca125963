import { Parser } from 'htmlparser2'
import { BLANK_ITEM } from '../../model/index.ts'
import { type ExportedItem, wordsOf } from './exported-item.ts'

/**
 * The articles that Tiny Tiny RSS writes with its plug-in `import_export`: those that are starred or archived, flat, each
 * value in an element of its own. All of them were read or put aside by somebody, so that they come as read.
 */
export function readTtrssArticles(text: string): { readonly items: readonly ExportedItem[]; readonly lost: number } {
  const items: ExportedItem[] = []
  let lost = 0
  let fields: Map<string, string> | null = null
  let name = ''
  const parser = new Parser(
    {
      onopentag(tag) {
        if (tag === 'article') fields = new Map()
        name = tag
      },
      ontext(part) {
        if (fields !== null) fields.set(name, (fields.get(name) ?? '') + part)
      },
      onclosetag(tag) {
        name = ''
        if (tag !== 'article' || fields === null) return
        const item = articleOf(fields)
        if (item === null) lost += 1
        else items.push(item)
        fields = null
      },
    },
    { xmlMode: true, lowerCaseTags: true },
  )
  parser.end(text)
  return { items, lost }
}

function articleOf(fields: ReadonlyMap<string, string>): ExportedItem | null {
  const field = (name: string) => wordsOf(fields.get(name))
  const feedUrl = field('feed_url')
  if (feedUrl === null) return null
  return {
    feedUrl,
    feedTitle: field('feed_title'),
    siteUrl: null,
    folders: [],
    item: {
      ...BLANK_ITEM,
      id: guidOf(field('guid')),
      title: field('title'),
      link: field('link'),
      published: momentOf(field('updated')),
      content: field('content'),
    },
    isRead: true,
    isStarred: isYes(field('marked')),
  }
}

/** As the feed gave it, behind the number of the user; newer versions write a hash of it, which nobody knows again. */
function guidOf(text: string | null): string | null {
  if (text === null || text.startsWith('{') || /^(\d+,)?SHA1:/i.test(text)) return null
  return text.replace(/^\d+,/, '')
}

function isYes(text: string | null): boolean {
  return text !== null && /^(1|t|true)$/i.test(text)
}

/** `2024-03-01 12:30:00`, of the server's clock, which is nearly always UTC. */
function momentOf(text: string | null): number | null {
  if (text === null) return null
  const at = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text.replace(' ', 'T')}Z`)
  return Number.isNaN(at) ? null : at
}
