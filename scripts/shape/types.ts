import type { Quantiles } from './quantiles.ts'

export interface Limit {
  readonly what: string
  readonly is: number
  readonly atMost: number
  readonly ok: boolean
}

/** What a folder holds. Quantiles are of lines. */
export interface FolderShape {
  readonly folder: string
  readonly lines: number
  readonly files: Quantiles
  readonly functions: Quantiles
  readonly nonNull: number
  readonly nonNullOnIndex: number
  readonly casts: number
}

/** A finding that a person can look up; with a reason it is fine. */
export interface Finding {
  readonly name: string
  readonly files: readonly string[]
  readonly why: string | null
}

export interface CodeShape {
  readonly limits: readonly Limit[]
  readonly code: FolderShape
  readonly tests: FolderShape
  readonly folders: readonly FolderShape[]
  readonly longFiles: readonly NamedFunction[]
  readonly longFunctions: readonly NamedFunction[]
  readonly cycles: { readonly files: readonly string[][]; readonly folders: readonly string[][] }
  readonly exports: ExportShape
}

export interface ExportShape {
  readonly count: number
  /** Used by one file of the code. That is usual; it shows how much is in files of its own. */
  readonly usedOnce: number
  /** Nobody imports it, neither code nor tests. */
  readonly unused: readonly Finding[]
  /** Only tests import it, and its own file does not need it. */
  readonly forTestsAlone: readonly Finding[]
  /** One name declared and exported by several files. */
  readonly twice: readonly Finding[]
  /** Reasons for what is no longer found. */
  readonly staleReasons: readonly string[]
}

export interface NamedFunction {
  readonly at: string
  readonly name: string
  readonly lines: number
}
