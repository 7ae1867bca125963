import type { ItemSeq, SourceId } from './ids.ts'
import type { Shard } from './lease.ts'
import type { InstantMs } from './time.ts'

/** What a page says beside its text. */
export interface PageFacts {
  /** As the page names it; null: it does not. */
  readonly canonicalUrl: string | null
  readonly title: string | null
  readonly author: string | null
  readonly published: InstantMs | null
  readonly language: string | null
  readonly languageIs: 'declared' | 'detected' | null
  readonly categories: readonly string[]
  /** One of those that page or feed declare, else by words learnt from what is declared, else `uncategorized`. */
  readonly category: string
  /** Who says so; null: nobody. */
  readonly categoryIs: 'page' | 'feed' | 'learnt' | null
  readonly leadImage: { readonly url: string; readonly width: number | null; readonly height: number | null } | null
  readonly wall: 'consent' | 'paywall' | null
  /** How the text was found, and how sure it is from 0 to 1. */
  readonly by: string
  readonly confidence: number
}

/** A page that is to be fetched. */
export interface DuePage {
  readonly seq: ItemSeq
  readonly sourceId: SourceId
  /** As the item links to it. */
  readonly url: string
  /** Of its site (src/store/shards.ts). */
  readonly shard: Shard
  /** Requests for it so far. */
  readonly attempts: number
  /** By which the site knows what was found before; null: nothing was. */
  readonly known: PageValidators | null
}

/** What a site said of a page, to be asked later whether it has changed. */
export interface PageValidators {
  readonly etag: string | null
  readonly lastModified: string | null
}

/** The page that an item links to. */
export interface ItemPage extends DuePage {
  /** When it is to be fetched, or looked at again; null: it is settled, and never fetched again. */
  readonly dueAt: InstantMs | null
  /** Of the last request; null: there was none. */
  readonly fetchedAt: InstantMs | null
  readonly status: number | null
  /** After redirects. */
  readonly finalUrl: string | null
  /** As its answer said, charset included; null: it said nothing. */
  readonly contentType: string | null
  /** A code of runtime/errors.ts; null: nothing has failed. */
  readonly failure: string | null
  readonly facts: PageFacts | null
  /** What is stored of it as it came, compressed. */
  readonly bodyBytes: number
}

/** Pages of a source in figures. */
export interface PageSums {
  /** Nothing was found yet, and it will be tried. */
  readonly waiting: number
  readonly fetched: number
  readonly failed: number
  /** Of pages as they came, compressed. */
  readonly bodyBytes: number
}
