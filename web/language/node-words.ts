import type { ReasonClause } from '../../src/api/operations/wire.ts'

/** By code: what is wrong, and what to do. */
export type ErrorTable = Readonly<Record<string, readonly [summary: string, hint: string]>>

/** As they are written in this language. */
type Params = Readonly<Record<string, string>>

/**
 * What the node tells in English, by its codes. English has none of it: the node's own text is used, as it is in any language for a
 * code that is not listed.
 */
export interface NodeWords {
  readonly errors: ErrorTable
  readonly alarms: ErrorTable
  /** By kind, with the name of the source. */
  readonly alerts: Readonly<Record<string, (name: string) => readonly [title: string, hint: string]>>
  readonly reasons: { readonly [C in ReasonClause['code']]?: (p: Params) => string }
  /** By the name of a setting. */
  readonly settings: Readonly<Record<string, readonly [title: string, description: string]>>
  readonly units: Readonly<Record<string, string>>
  /** What joins the last two of a choice. */
  readonly or: string
  /** By what is wrong with a field of a form. */
  readonly inputs: Readonly<Record<string, (p: Params) => string>>
}

/** By their English forms: what is wrong with a query or a setting. `{1}` stands for the first parameter. */
export type PhraseTable = Readonly<Record<string, string>>

export const AS_THE_NODE_SAYS: NodeWords = {
  errors: {},
  alarms: {},
  alerts: {},
  reasons: {},
  settings: {},
  units: {},
  or: 'or',
  inputs: {},
}
