import type { FastifyRequest } from 'fastify'
import type { Clock } from '../runtime/clock.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import type { Store } from '../store/store.ts'
import type { Principal } from './access/principal.ts'
import type { AuditInput, Operation } from './operations/operation.ts'

export interface AuditDeps {
  readonly store: Pick<Store, 'recordAudit' | 'userNamed'>
  readonly clock: Pick<Clock, 'now'>
  /** Called when an entry could not be written: the operation is done all the same, and is answered. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** A request that an operation has taken. */
export interface AuditedRequest {
  readonly operation: Operation
  readonly principal: Principal | null
  readonly input: AuditInput
  readonly request: FastifyRequest
  /** What the handler calls the thing, where the request has its id alone. */
  readonly subject: string | null
}

/** Writes down what an operation did, as its line in the table says. */
export async function recordSuccess(audited: AuditedRequest, answer: unknown, deps: AuditDeps): Promise<void> {
  const { operation, principal, input, request, subject } = audited
  const at = deps.clock.now()
  const entries = (operation.audit?.(input, answer) ?? []).flatMap((deed) => {
    const by = deed.by ?? principal?.user
    if (by === undefined) return []
    const { action } = deed
    return [{ at, userId: by.id, userName: by.name, address: request.ip, action, subject: subject ?? deed.subject }]
  })
  await written(entries, deps)
}

/**
 * Writes down that a password was wrong. Of a name that nobody has nothing is stored: people type passwords into that
 * field. The store makes one entry a minute of them.
 */
export async function recordFailure(
  { principal, input, request }: AuditedRequest,
  error: unknown,
  deps: AuditDeps,
): Promise<void> {
  if (!(error instanceof HeadwaterError) || error.code !== 'LOGIN_FAILED') return
  const { name } = input.body as { readonly name?: string }
  const user = name === undefined ? (principal?.user ?? null) : await deps.store.userNamed(name)
  const who = { userId: user?.id ?? null, userName: user?.name ?? '' }
  const subject = user === null ? 'no such account' : ''
  const entry = { ...who, at: deps.clock.now(), address: request.ip, action: 'log-in-failed' as const, subject }
  await written([entry], deps)
}

async function written(
  entries: Parameters<Store['recordAudit']>[0],
  { store, clock, onError }: AuditDeps,
): Promise<void> {
  if (entries.length === 0) return
  try {
    await store.recordAudit(entries, clock.now())
  } catch (error) {
    onError?.(error)
  }
}
