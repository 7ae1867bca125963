import type { InstantMs } from '../model/index.ts'

/** A page as it was fetched. */
export interface ArticlePage {
  /** Where it was found after redirects; relative addresses in it are relative to this one. */
  readonly url: string
  /** As the answer says, charset included; null: it says nothing. */
  readonly contentType: string | null
  readonly body: Uint8Array
}

/** Why a page gives no article, in words that are stored with the item and shown to people. */
export type ExtractionFailure =
  /** Not HTML: a PDF, a picture, a film. */
  | 'not-html'
  | 'too-large'
  /** It was still at work at its deadline, or took more memory than it may. */
  | 'too-costly'
  /** Nothing that could be the text: a page of scripts, a list, an empty one. */
  | 'no-text'

/** Of a page that shows its text to some only: what we see is not the article. */
export type Wall = 'consent' | 'paywall'

export interface LeadImage {
  readonly url: string
  /** In CSS pixels, where the page says; null: it does not. */
  readonly width: number | null
  readonly height: number | null
}

/** What a page says; nothing of it is sanitised yet. */
export interface Article {
  /** By `link rel=canonical` or `og:url`, absolute; null: the page names none. */
  readonly canonicalUrl: string | null
  readonly title: string | null
  readonly author: string | null
  readonly published: InstantMs | null
  /** BCP 47; null: not declared, and too little text to tell. */
  readonly language: string | null
  readonly languageIs: 'declared' | 'detected' | null
  /** As the page declares them (article:section, JSON-LD, news_keywords), without repetitions. */
  readonly categories: readonly string[]
  readonly leadImage: LeadImage | null
  /** The article alone, with absolute addresses. */
  readonly html: string
  /** The same as text, one paragraph a line. */
  readonly text: string
  readonly wall: Wall | null
  /** `readability`, `rule:<name>` of a site, or `json-ld` where the page shows next to nothing of what it declares there. */
  readonly by: string
  /** From 0 to 1: how sure it is that this is the article, whole and alone. */
  readonly confidence: number
}

export type Extraction =
  | { readonly kind: 'article'; readonly article: Article }
  | { readonly kind: 'failure'; readonly reason: ExtractionFailure }

/** Takes the article out of a page; does so elsewhere than in the event loop, within a deadline and a limit of memory. */
export interface ArticleExtractor {
  /** `rules`: those of users, which come before the shipped ones; the first that is for the page counts. */
  extract(page: ArticlePage, rules?: readonly SiteRule[]): Promise<Extraction>
  /** What a rule makes of a page, whatever its host, before it is saved. */
  tryRule(rule: SiteRule, page: ArticlePage): Promise<RuleTrial>
  /** Ends the threads. */
  close(): Promise<void>
}

/** How many elements each part of a rule found on a page, and what came of it. */
export interface RuleTrial {
  readonly found: Readonly<Record<RulePart, number>>
  /** Why it must not be saved as it is; empty: it may. */
  readonly problems: readonly string[]
  readonly extraction: Extraction
}

export type RulePart = 'where' | 'content' | 'title' | 'author' | 'date' | 'remove'

/** How to read pages of a site that the general way fails on (extract/rules/site-rule.ts). Selectors are CSS or XPath. */
export interface SiteRule {
  readonly name: string
  /** `example.org` and below it; `*` is every site, where `where` decides. */
  readonly hosts: readonly string[]
  /** Only pages on which this matches something. */
  readonly where: string | null
  /** What matches the first of these that matches anything is the article; none: it is found as usual. */
  readonly content: readonly string[]
  readonly title: readonly string[]
  readonly author: readonly string[]
  readonly date: readonly string[]
  /** Goes before anything else. */
  readonly remove: readonly string[]
}
