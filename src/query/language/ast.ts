import type { DurationMs, InstantMs } from '../../model/index.ts'
import type { TextSpan } from './errors.ts'

/*
 * What a query text says. Every node that a check may complain about knows its place (`at`); two queries mean the
 * same if they are equal without it (`withoutPositions`).
 */

/** Parts of an item that a predicate looks at. */
export type TextField = 'TITLE' | 'DESCRIPTION' | 'CONTENT' | 'ITEM'
/** Parts of an item, or of its source, that have whole values. */
export type ValueField = 'CATEGORY' | 'SOURCE CATEGORY' | 'AUTHOR' | 'LINK' | 'LANGUAGE' | 'SOURCE' | 'ENCLOSURE'
/** Everything that a predicate can name. */
export type QueryField = TextField | ValueField | 'PUBLISHED'
/** How moments and numbers are compared. */
export type ComparisonOperator = '=' | '<' | '<=' | '>' | '>='

/** What follows WHERE or WITH: predicates joined by AND, OR and NOT. */
export type QueryCondition =
  | { readonly kind: 'and'; readonly of: readonly QueryCondition[] }
  | { readonly kind: 'or'; readonly of: readonly QueryCondition[] }
  | { readonly kind: 'not'; readonly of: QueryCondition }
  /** `$v[…]`: only for items that come by $v. */
  | { readonly kind: 'scoped'; readonly variable: string; readonly of: QueryCondition; readonly at: TextSpan }
  | Predicate

/** The smallest question of a condition. */
export type Predicate = ItemPredicate | PairPredicate

/** Looks at one item. */
export type ItemPredicate =
  | {
      readonly kind: 'contains'
      readonly field: Exclude<QueryField, 'PUBLISHED' | 'LANGUAGE' | 'ENCLOSURE'>
      /** Words that follow each other. */
      readonly text: string
      readonly stemmed: boolean
      readonly at: TextSpan
    }
  /** One of the values; a single one was written with `=`. */
  | {
      readonly kind: 'equals'
      readonly field: Exclude<QueryField, 'PUBLISHED' | 'ITEM'>
      readonly values: readonly string[]
      readonly at: TextSpan
    }
  | {
      readonly kind: 'matches'
      readonly field: Exclude<QueryField, 'PUBLISHED' | 'LANGUAGE'>
      readonly pattern: string
      readonly ignoreCase: boolean
      readonly at: TextSpan
    }
  | {
      readonly kind: 'published'
      readonly comparison: ComparisonOperator
      readonly moment: Moment
      readonly at: TextSpan
    }
  | {
      readonly kind: 'count'
      readonly field: CountedField
      readonly comparison: ComparisonOperator
      readonly number: number
      readonly at: TextSpan
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
      readonly at: TextSpan
    }
  | { readonly kind: 'same'; readonly field: SharedField; readonly other: FieldOf; readonly at: TextSpan }

/** Fields in which two items can have the same value. */
export type SharedField = 'TITLE' | 'CATEGORY' | 'SOURCE CATEGORY' | 'AUTHOR' | 'LINK' | 'LANGUAGE' | 'SOURCE'

/** `$w.TITLE`: a field of a joined item. */
export interface FieldOf {
  readonly variable: string
  readonly field: QueryField
}

/** A day is a time from its first to its last millisecond; so are a month, a year and a minute. `to` is exclusive. */
export type Moment =
  | { readonly kind: 'absolute'; readonly text: string; readonly from: InstantMs; readonly to: InstantMs }
  /** Before the item was first seen, so that the answer never changes. */
  | { readonly kind: 'relative'; readonly agoMs: DurationMs }

/** Where items come from. */
export type ItemOrigin =
  | { readonly kind: 'url'; readonly url: string }
  /** A registered source or another query feed. */
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'category'; readonly category: string }
  | { readonly kind: 'all' }

/** `(a | b) AS $v` is two of them with one variable, side by side. */
export interface SourceRef {
  readonly origin: ItemOrigin
  /** Without the `$`. */
  readonly variable: string | null
  readonly at: TextSpan
}

/** `LAST 3 DAYS` or `LAST 100 ITEMS`: what a join or DISTINCT looks back on. */
export type WindowClause =
  | { readonly kind: 'time'; readonly lengthMs: DurationMs }
  | { readonly kind: 'items'; readonly count: number }

/** `JOIN … ON … WITH …`: an item matches when one of the window fits it. */
export interface Join {
  /** `NOT JOINED`: matches when no item of the window fits. */
  readonly negated: boolean
  readonly window: WindowClause
  /** Several: the union of them. All have the variable of the join. */
  readonly sources: readonly SourceRef[]
  readonly condition: QueryCondition
  readonly at: TextSpan
}

/** `DISTINCT BY …`: of items that are the same, the first matches. */
export interface Distinct {
  readonly by: 'LINK' | 'TITLE' | 'SIMILAR'
  /** For SIMILAR: titles more alike than this are the same. */
  readonly threshold: number | null
  readonly window: WindowClause
}

/** `ORDER BY …`: in which order a feed shows its items. */
export type Order =
  | { readonly by: 'PUBLISHED' | 'FETCHED' | 'SOURCE' | 'WEIGHT'; readonly descending: boolean }
  /** The sum of the terms. */
  | { readonly by: 'SCORE'; readonly terms: readonly ScoreTerm[]; readonly descending: boolean }

/** A term of `ORDER BY SCORE`: what counts, and how much. */
export interface ScoreTerm {
  readonly factor: number
  readonly of: 'WEIGHT' | 'SIMILARITY' | 'FRESHNESS'
  /** Of FRESHNESS: when half of it is left; null of others. */
  readonly halfLifeMs: DurationMs | null
  readonly at: TextSpan
}

/** What follows `RETURN`. */
export interface FeedQuery {
  readonly sources: readonly SourceRef[]
  readonly joins: readonly Join[]
  readonly where: QueryCondition | null
  readonly distinct: Distinct | null
  readonly order: Order | null
  /** The feed shows articles as their pages have them, where those were fetched. */
  readonly fulltext?: Fulltext
}

/** `FULLTEXT FETCH WAIT 10 MINUTES`. */
export interface Fulltext {
  /** `FETCH`: the pages of what it publishes are fetched, whatever their sources say. */
  readonly fetchesPages: boolean
  /** `WAIT`: an item waits for its page so long at most; null: it is published at once, and updated. */
  readonly waitMs: DurationMs | null
}

/** A name, and where it is written. */
export interface Name {
  readonly name: string
  readonly at: TextSpan
}

/** Where SUBSCRIBE sends what a feed publishes. */
export type Output =
  | { readonly kind: 'webhook'; readonly url: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'mail'; readonly address: string }

/** `REGISTER FEED "url" AS name`. */
export interface RegisterFeed {
  readonly kind: 'register'
  readonly url: string
  readonly feed: Name
  readonly category: string | null
  readonly weight: number | null
}

/** `CREATE FEED name AS RETURN …`. */
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

/** `DROP FEED name`. */
export interface DropFeed {
  readonly kind: 'drop'
  readonly feed: Name
}

/** `SUBSCRIBE TO name …`. */
export interface Subscribe {
  readonly kind: 'subscribe'
  readonly feed: Name
  readonly output: Output
  /** null: immediately. */
  readonly everyMs: DurationMs | null
}

/** `UNSUBSCRIBE FROM name …`. */
export interface Unsubscribe {
  readonly kind: 'unsubscribe'
  readonly feed: Name
  /** null: all of them. */
  readonly output: Output | null
}

/** One statement of a query text. */
export type QueryStatement = RegisterFeed | CreateFeed | AlterFeed | DropFeed | Subscribe | Unsubscribe
