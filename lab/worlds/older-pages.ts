import { HOUR_MS, type InstantMs } from '../../src/model/index.ts'
import type { ItemContext } from './items.ts'
import type { Publications } from './publication.ts'
import { type WorldWindowEntry, worldWindowAt } from './world-window.ts'

/**
 * How a feed offers what its window no longer shows. `paged`: RFC 5005 §3, each page links to the next. `archive`: §4,
 * documents that cover fixed stretches of time. `wordpress`: ?paged=2 is understood, and nothing says so but the
 * generator.
 */
export const PAGE_STYLES = ['paged', 'archive', 'wordpress'] as const
export type PageStyle = (typeof PAGE_STYLES)[number]

/** One archive document holds what appeared in six hours. */
const STRETCH_MS = 6 * HOUR_MS

export interface OlderPages {
  /** The address parameter of the page before the window, as `page=1`; null: there is none. */
  first(at: InstantMs): string | null
  /** What a page holds, newest first, and the page before it; null: no such page. */
  read(
    name: string,
    at: InstantMs,
  ): { readonly entries: readonly WorldWindowEntry[]; readonly before: string | null } | null
}

/** The parameter that names a page; null: none does. */
export function pageName(query: URLSearchParams, style: PageStyle): string | null {
  const parameter = { paged: 'page', archive: 'archive', wordpress: 'paged' }[style]
  const value = query.get(parameter)
  return value === null ? null : `${parameter}=${value}`
}

export function olderPages(
  source: () => Publications,
  context: ItemContext,
  style: PageStyle,
  pages: number,
): OlderPages {
  if (style === 'archive') return archives(source, context, pages)
  const parameter = style === 'paged' ? 'page' : 'paged'
  // WordPress counts the front page as the first.
  const offset = style === 'paged' ? 0 : 1
  return {
    first: () => (pages > 0 ? `${parameter}=${1 + offset}` : null),
    read(name, at) {
      const page = numberIn(name) - offset
      if (!(page >= 1 && page <= pages)) return null
      const { entries } = worldWindowAt(source(), at, context, page)
      return { entries, before: page < pages ? `${parameter}=${page + 1 + offset}` : null }
    },
  }
}

function archives(source: () => Publications, context: ItemContext, pages: number): OlderPages {
  /** The stretch of the newest item before a moment. */
  const stretchBefore = (moment: InstantMs): number | null => {
    for (const { at } of source().newestFirst(moment)) return Math.floor(at / STRETCH_MS)
    return null
  }
  const oldestStretch = (at: InstantMs) => Math.floor(at / STRETCH_MS) - pages
  const named = (stretch: number | null, at: InstantMs) =>
    stretch === null || stretch <= oldestStretch(at) ? null : `archive=${stretch}`
  return {
    first(at) {
      const oldest = Math.min(...worldWindowAt(source(), at, context).entries.map((entry) => entry.at))
      return Number.isFinite(oldest) ? named(stretchBefore(oldest - 1), at) : null
    },
    read(name, at) {
      const stretch = numberIn(name)
      if (named(stretch, at) === null || stretch > Math.floor(at / STRETCH_MS)) return null
      const start = stretch * STRETCH_MS - 1
      const entries = [...source().between(start, Math.min(at, start + STRETCH_MS))]
        .map((publication) => ({ ...publication, editedAt: null }))
        .reverse()
      return { entries, before: named(stretchBefore(start), at) }
    },
  }
}

function numberIn(name: string): number {
  return Number(name.slice(name.indexOf('=') + 1))
}
