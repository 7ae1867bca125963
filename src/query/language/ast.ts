import type { DurationMs, InstantMs } from '../../model/index.ts'
import type { Span } from './errors.ts'

/*
 * What a query text says. Every node that a check may complain about knows where it stands (`at`); two queries mean the
 * same if they are equal without it (`withoutPlaces`).
 */

/** Parts of an item that a predicate looks at. */
export type TextField = 'TITLE' | 'DESCRIPTION' | 'CONTENT' | 'ITEM'
export type ValueField = 'CATEGORY' | 'SOURCE CATEGORY' | 'AUTHOR' | 'LINK' | 'LANGUAGE' | 'SOURCE' | 'ENCLOSURE'
export type Field = TextField | ValueField | 'PUBLISHED'
export type Comparison = '=' | '<' | '<=' | '>' | '>='

export type Condition =
  | { readonly kind: 'and'; readonly of: readonly Condition[] }
  | { readonly kind: 'or'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  /** `$v[…]`: speaks of items that come by $v only. */
  | { readonly kind: 'scoped'; readonly variable: string; readonly of: Condition; readonly at: Span }
  | Predicate

export type Predicate = ItemPredicate | PairPredicate

/** Looks at one item. */
export type ItemPredicate =
  | {
      readonly kind: 'contains'
      readonly field: Exclude<Field, 'PUBLISHED' | 'LANGUAGE' | 'ENCLOSURE'>
      /** Words that follow each other. */
      readonly text: string
      readonly stemmed: boolean
      readonly at: Span
    }
  /** One of the values; a single one was written with `=`. */
  | {
      readonly kind: 'equals'
      readonly field: Exclude<Field, 'PUBLISHED' | 'ITEM'>
      readonly values: readonly string[]
      readonly at: Span
    }
  | {
      readonly kind: 'matches'
      readonly field: Exclude<Field, 'PUBLISHED' | 'LANGUAGE'>
      readonly pattern: string
      readonly ignoreCase: boolean
      readonly at: Span
    }
  | { readonly kind: 'published'; readonly comparison: Comparison; readonly moment: Moment; readonly at: Span }
  | {
      readonly kind: 'count'
      readonly field: CountedField
      readonly comparison: Comparison
      readonly number: number
      readonly at: Span
    }

/** Words of a text, or how many values there are. */
export type CountedField = TextField | 'CATEGORY' | 'SOURCE CATEGORY' | 'AUTHOR' | 'ENCLOSURE'

/** Looks at an item and one of the joined feed. */
export type PairPredicate =
  | {
      readonly kind: 'similar'
      readonly field: TextField
      readonly other: FieldOf
      /** More than this, between 0 and 1. */
      readonly threshold: number
      readonly at: Span
    }
  | { readonly kind: 'same'; readonly field: SharedField; readonly other: FieldOf; readonly at: Span }

export type SharedField = 'TITLE' | 'CATEGORY' | 'SOURCE CATEGORY' | 'AUTHOR' | 'LINK' | 'LANGUAGE' | 'SOURCE'

export interface FieldOf {
  readonly variable: string
  readonly field: Field
}

/** A day is a time from its first to its last millisecond; so are a month, a year and a minute. `to` is exclusive. */
export type Moment =
  | { readonly kind: 'absolute'; readonly text: string; readonly from: InstantMs; readonly to: InstantMs }
  /** Before the item was first seen, so that the answer never changes. */
  | { readonly kind: 'relative'; readonly agoMs: DurationMs }

export type Origin =
  | { readonly kind: 'url'; readonly url: string }
  /** A registered source or another query feed. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'category'; readonly category: string }
  | { readonly kind: 'all' }

/** `(a | b) AS $v` is two of them with one variable, side by side. */
export interface SourceRef {
  readonly origin: Origin
  /** Without the `$`. */
  readonly variable: string | null
  readonly at: Span
}

export type Window =
  | { readonly kind: 'time'; readonly lengthMs: DurationMs }
  | { readonly kind: 'items'; readonly count: number }

export interface Join {
  /** `NOT JOINED`: kept when no item of the window fits. */
  readonly negated: boolean
  readonly window: Window
  /** Several: the union of them. All have the variable of the join. */
  readonly sources: readonly SourceRef[]
  readonly condition: Condition
  readonly at: Span
}

export interface Distinct {
  readonly by: 'LINK' | 'TITLE' | 'SIMILAR'
  /** For SIMILAR: titles more alike than this are the same. */
  readonly threshold: number | null
  readonly window: Window
}

export type Order =
  | { readonly by: 'PUBLISHED' | 'FETCHED' | 'SOURCE' | 'WEIGHT'; readonly descending: boolean }
  /** The sum of the terms. */
  | { readonly by: 'SCORE'; readonly terms: readonly ScoreTerm[]; readonly descending: boolean }

export interface ScoreTerm {
  readonly factor: number
  readonly of: 'WEIGHT' | 'SIMILARITY' | 'FRESHNESS'
  /** Of FRESHNESS: when half of it is left; null of others. */
  readonly halfLifeMs: DurationMs | null
  readonly at: Span
}

/** What follows `RETURN`. */
export interface FeedQuery {
  readonly sources: readonly SourceRef[]
  readonly joins: readonly Join[]
  readonly where: Condition | null
  readonly distinct: Distinct | null
  readonly order: Order | null
}

export interface Name {
  readonly name: string
  readonly at: Span
}

export type Output =
  | { readonly kind: 'webhook'; readonly url: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'mail'; readonly address: string }

export interface RegisterFeed {
  readonly kind: 'register'
  readonly url: string
  readonly feed: Name
  readonly category: string | null
  readonly weight: number | null
}

export interface CreateFeed {
  readonly kind: 'create'
  readonly feed: Name
  readonly title: string | null
  readonly limit: number | null
  readonly query: FeedQuery
}

/** What is undefined stays as it is; null takes it away. */
export interface AlterFeed {
  readonly kind: 'alter'
  readonly feed: Name
  readonly title?: string | null
  readonly limit?: number | null
  readonly category?: string | null
  readonly weight?: number
  readonly query?: FeedQuery
}

export interface DropFeed {
  readonly kind: 'drop'
  readonly feed: Name
}

export interface Subscribe {
  readonly kind: 'subscribe'
  readonly feed: Name
  readonly output: Output
  /** null: immediately. */
  readonly everyMs: DurationMs | null
}

export interface Unsubscribe {
  readonly kind: 'unsubscribe'
  readonly feed: Name
  /** null: all of them. */
  readonly output: Output | null
}

export type Statement = RegisterFeed | CreateFeed | AlterFeed | DropFeed | Subscribe | Unsubscribe
