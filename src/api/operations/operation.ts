import { z } from 'zod'
import { AUDIT_ACTIONS } from '../../model/audit.ts'

/**
 * What a caller must be allowed to do. `public`: nobody need be known. `read`: see the node and what it has archived.
 * `write`: keep things of one's own (query feeds, subscriptions, read and starred, trust, tokens) and add sources.
 * `admin`: change what all users share. Which things a right reaches: docs/access.md.
 */
export type OperationRight = 'public' | 'read' | 'write' | 'admin'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type Fields = z.ZodObject<Readonly<Record<string, z.ZodType>>>

export const auditAction = z.enum(AUDIT_ACTIONS)

/** A body or an answer that is not JSON. */
export interface Raw {
  readonly mediaType: string
  readonly description: string
}

/** The input of an operation. */
export interface AuditInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly hasSession: boolean
}

/** An entry of the audit log; never with a secret. */
export interface AuditRecord {
  readonly action: z.infer<typeof auditAction>
  readonly subject: string
  /** Absent: the caller. */
  readonly by?: { readonly id: number; readonly name: string }
}

/** One line of the table that routes, `/api/openapi.json` and the contract tests are made of. */
export interface Operation<
  P extends Fields = Fields,
  Q extends Fields = Fields,
  B extends z.ZodType = z.ZodType,
  A extends z.ZodType = z.ZodType,
> {
  /** Stable name, as `listSources`; what handlers are found by. */
  readonly id: string
  readonly method: Method
  /** With names in braces, as in OpenAPI: `/api/sources/{id}`. */
  readonly path: `/api/${string}`
  readonly right: OperationRight
  readonly tag: string
  readonly summary: string
  readonly params: P
  readonly query: Q
  /** JSON; null: none. */
  readonly body: B | null
  readonly rawBody: Raw | null
  readonly answer: A
  readonly rawAnswer: Raw | null
  readonly status: 200 | 201 | 202 | 204
  /** What is written down once it is done; null: nothing. */
  readonly audit: ((input: AuditInput, answer: unknown) => readonly AuditRecord[]) | null
}

export interface Input<P extends Fields, Q extends Fields, B extends z.ZodType> {
  readonly params: z.output<P>
  readonly query: z.output<Q>
  readonly body: z.output<B>
}

export type InputOf<O> = O extends Operation<infer P, infer Q, infer B, z.ZodType> ? Input<P, Q, B> : never
export type AnswerOf<O> = O extends Operation<Fields, Fields, z.ZodType, infer A> ? z.input<A> : never

const NOTHING = z.strictObject({})
const NO_CONTENT = z.undefined()

interface OperationDefinition<P extends Fields, Q extends Fields, B extends z.ZodType, A extends z.ZodType> {
  readonly method: Method
  readonly path: `/api/${string}`
  readonly right: OperationRight
  readonly summary: string
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly rawBody?: Raw
  readonly answer?: A
  readonly rawAnswer?: Raw
  readonly status?: 200 | 201 | 202 | 204
  /** Made from input and answer. */
  readonly audit?: (
    input: Input<P, Q, B> & { readonly hasSession: boolean },
    answer: z.input<A>,
  ) => readonly AuditRecord[]
}

/** Without an answer it is 204. */
export function operation<
  P extends Fields = typeof NOTHING,
  Q extends Fields = typeof NOTHING,
  B extends z.ZodType = typeof NO_CONTENT,
  A extends z.ZodType = typeof NO_CONTENT,
>(id: string, tag: string, definition: OperationDefinition<P, Q, B, A>): Operation<P, Q, B, A> {
  const hasAnswer = definition.answer !== undefined || definition.rawAnswer !== undefined
  return {
    id,
    tag,
    method: definition.method,
    path: definition.path,
    right: definition.right,
    summary: definition.summary,
    params: definition.params ?? (NOTHING as unknown as P),
    // A parameter that is not known is a mistake of the caller's, who would take its silence for an effect.
    query: (definition.query?.strict() ?? NOTHING) as unknown as Q,
    body: definition.body ?? null,
    rawBody: definition.rawBody ?? null,
    answer: definition.answer ?? (NO_CONTENT as unknown as A),
    rawAnswer: definition.rawAnswer ?? null,
    status: definition.status ?? (hasAnswer ? 200 : 204),
    audit: (definition.audit as Operation['audit'] | undefined) ?? null,
  }
}
