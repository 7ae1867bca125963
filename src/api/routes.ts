import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Caller, STRANGER } from '../access/index.ts'
import type { LogInLimits } from '../cluster/log-in-limits.ts'
import { MINUTE_MS, type User } from '../model/index.ts'
import type { ErrorParams } from '../runtime/error-words.ts'
import { HeadwaterError } from '../runtime/errors.ts'
import { addressGroup } from './access/address-group.ts'
import type { KnownDevices } from './access/known-device.ts'
import { refuseOtherSites } from './access/origin.ts'
import { type Authenticate, callerOf, type Principal } from './access/principal.ts'
import { countingWith } from './access/request-windows.ts'
import { type AuditDeps, type AuditedRequest, recordFailure, recordSuccess } from './audit.ts'
import { allowLongBody } from './doors/body-time.ts'
import { OPERATIONS, type OperationId } from './operations/index.ts'
import type { AnswerOf, InputOf, Operation } from './operations/operation.ts'
import { type InputError, InvalidInput } from './problem.ts'
import { sendJson } from './send-json.ts'

/** What a handler knows of its caller. */
export interface CallContext {
  readonly principal: Principal | null
  /** The caller, where the operation needs a right. */
  readonly user: User
  readonly caller: Caller
  readonly isAdmin: boolean
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** What the audit log calls the thing, where the request has its id alone. */
  readonly nameSubject: (name: string) => void
}

/** An answer that is not JSON. */
export interface RawAnswer {
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type OperationHandler<O> = (input: InputOf<O>, call: CallContext) => Promise<AnswerOf<O> | RawAnswer>

export type Handlers = { readonly [K in OperationId]: OperationHandler<(typeof OPERATIONS)[K]> }

type AnyHandler = (input: unknown, call: CallContext) => Promise<unknown>

export interface RouteDeps {
  readonly authenticate: Authenticate
  readonly devices: Pick<KnownDevices, 'of'>
  readonly limits: Pick<LogInLimits, 'countRequest'>
  readonly publicUrl: string
  readonly audit: AuditDeps
  /** Answers are compared with their schema; for tests. */
  readonly checkAnswers?: boolean
}

/** The caller, found out before the body came. */
const principals = new WeakMap<FastifyRequest, Principal | null>()
const STRANGERS_BODY_BYTES = 16_384
const LIMITED: ReadonlySet<string> = new Set(['logIn', 'claimNode', 'acceptInvitation', 'changePassword'])
const ATTEMPTS = { max: 10, timeWindow: MINUTE_MS }

/** A browser that has logged in before has a count of its own: behind a proxy all others may come from one address. */
async function attemptsKey(request: FastifyRequest, { devices }: Pick<RouteDeps, 'devices'>): Promise<string> {
  const device = await devices.of(request)
  return device === null ? addressGroup(request.ip) : `device ${device.id}`
}

/** A route for every line of the table: rights, input, handler, answer. */
export async function addOperations(app: FastifyInstance, handlers: Handlers, deps: RouteDeps): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    keyGenerator: (request) => attemptsKey(request, deps),
    store: countingWith(deps.limits),
  })
  // What is not JSON goes to the handler as it comes.
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  for (const [id, operation] of Object.entries(OPERATIONS) as [OperationId, Operation][]) {
    const handler = handlers[id] as unknown as AnyHandler
    app.route({
      method: operation.method,
      // A HEAD of a stream would never end.
      exposeHeadRoute: false,
      url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
      config: LIMITED.has(id) ? { rateLimit: { ...ATTEMPTS, groupId: ` ${id}` } } : {},
      // Strangers have little to say.
      ...(operation.right === 'public' ? { bodyLimit: STRANGERS_BODY_BYTES } : {}),
      // Before the body is read: nobody sends megabytes who may not.
      onRequest: async (request) => {
        principals.set(request, await admit(operation, request, deps))
      },
      handler: (request, reply) => answer(operation, handler, request, reply, deps),
    })
  }
}

async function admit(operation: Operation, request: FastifyRequest, deps: RouteDeps): Promise<Principal | null> {
  const principal = await deps.authenticate(request)
  if (operation.method !== 'GET' && (principal === null || principal.session !== null)) {
    refuseOtherSites(request, deps.publicUrl)
  }
  demand(operation, principal)
  if (operation.rawBody !== null) allowLongBody(request.raw)
  return principal
}

async function answer(
  operation: Operation,
  handler: AnyHandler,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: RouteDeps,
): Promise<FastifyReply> {
  const principal = principals.get(request) ?? null
  const input = readInput(operation, request)
  const result = await carryOut(operation, handler, input, callOf(principal, request, reply), deps)
  if (reply.sent || reply.raw.headersSent) return reply
  reply.code(operation.status).header('cache-control', 'no-store')
  if (operation.rawAnswer !== null) {
    const { body, headers = {} } = result as RawAnswer
    return reply.type(operation.rawAnswer.mediaType).headers(headers).send(body)
  }
  if (operation.status === 204) return reply.send()
  return sendJson(request, reply, deps.checkAnswers === true ? operation.answer.parse(result) : result)
}

/** The audit log has the operation before it is answered. */
async function carryOut(
  operation: Operation,
  handler: AnyHandler,
  input: ReturnType<typeof readInput>,
  call: Omit<CallContext, 'nameSubject'>,
  deps: RouteDeps,
): Promise<unknown> {
  const { principal, request } = call
  let subject: string | null = null
  const nameSubject = (name: string) => {
    subject = name
  }
  const auditInput = { ...input, hasSession: principal?.session != null }
  const auditedRequest = (): AuditedRequest => ({ operation, principal, input: auditInput, request, subject })
  let result: unknown
  try {
    result = await handler(input, Object.assign(call, { nameSubject }))
  } catch (error) {
    await recordFailure(auditedRequest(), error, deps.audit)
    throw error
  }
  await recordSuccess(auditedRequest(), result, deps.audit)
  return result
}

function callOf(
  principal: Principal | null,
  request: FastifyRequest,
  reply: FastifyReply,
): Omit<CallContext, 'nameSubject'> {
  return {
    principal,
    get user() {
      if (principal === null) throw new HeadwaterError('LOGIN_NEEDED')
      return principal.user
    },
    caller: principal === null ? STRANGER : callerOf(principal),
    isAdmin: principal?.rights.has('admin') === true,
    request,
    reply,
  }
}

function demand({ right, summary }: Operation, principal: Principal | null): void {
  if (right === 'public') return
  if (principal === null) throw new HeadwaterError('LOGIN_NEEDED')
  if (!principal.rights.has(right)) throw new HeadwaterError('RIGHT_MISSING', `${right}, to ${lowerFirst(summary)}`)
}

const NO_BODY = z.union([z.undefined(), z.null(), z.strictObject({})], 'this operation takes none')

function hasContent({ headers, body }: FastifyRequest): boolean {
  const isStream = typeof (body as { pipe?: unknown } | null | undefined)?.pipe === 'function'
  return !isStream || headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

const MOST_NAMED = 20

/** What is not known is named, as far as that helps. */
function errorsOf(inputPath: string, issue: z.core.$ZodIssue): InputError[] {
  const path = [inputPath, ...issue.path].join('.')
  if (issue.code !== 'unrecognized_keys')
    return [{ path, message: issue.message, code: issue.code, params: paramsOf(issue) }]
  const names = issue.keys.slice(0, MOST_NAMED).map((name) => name.slice(0, 100))
  const params = { message: 'there is no such field', code: issue.code }
  return names.map((name) => ({ path: `${path}.${name}`, ...params }))
}

const PARAMS = ['expected', 'minimum', 'maximum', 'format', 'values'] as const

function paramsOf(issue: object): ErrorParams {
  const params = PARAMS.flatMap((name) => {
    const value: unknown = (issue as Readonly<Record<string, unknown>>)[name]
    if (Array.isArray(value)) return [[name, value.join(', ')] as const]
    return typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : []
  })
  return Object.fromEntries(params)
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

function readInput(operation: Operation, request: FastifyRequest): { params: unknown; query: unknown; body: unknown } {
  const errors: InputError[] = []
  const parse = (path: string, schema: z.ZodType, value: unknown) => {
    const result = schema.safeParse(value)
    if (result.success) return result.data
    for (const issue of result.error.issues) errors.push(...errorsOf(path, issue))
    return undefined
  }
  const params = parse('path', operation.params, request.params)
  const query = parse('query', operation.query, request.query)
  const body =
    operation.rawBody !== null
      ? request.body
      : operation.body === null
        ? parse('body', NO_BODY, hasContent(request) ? request.body : undefined)
        : parse('body', operation.body, request.body)
  if (errors.length > 0) throw new InvalidInput(errors)
  return { params, query, body }
}
