import type { FastifyInstance } from 'fastify'
import { addFeverRoutes } from './fever/routes.ts'
import { addGReaderRoutes } from './greader/routes.ts'
import { addMinifluxRoutes } from './miniflux/routes.ts'
import { problemOf, statusOf, TryLater } from './problem.ts'
import type { ReaderDeps } from './readers/deps.ts'
import { ReaderFailure } from './readers/failure.ts'

/** The doors of reader apps. Each is a scope of its own: they read bodies and say what is wrong in ways of their own. */
export function addReaderRoutes(app: FastifyInstance, deps: ReaderDeps, onError: (error: unknown) => void): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error, _request, reply) => {
      const { status, text } = failureOf(error, onError)
      if (error instanceof TryLater) reply.header('retry-after', String(error.retryAfterS))
      return reply.code(status).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(`${text}\n`)
    })
    addGReaderRoutes(scope, deps)
  })
  app.register(async (scope) => {
    scope.setErrorHandler((error, _request, reply) => {
      const { status, text } = failureOf(error, onError)
      if (error instanceof TryLater) reply.header('retry-after', String(error.retryAfterS))
      return reply.code(status).header('cache-control', 'no-store').send({ error_message: text })
    })
    addMinifluxRoutes(scope, deps)
    addFeverRoutes(scope, deps)
  })
}

function failureOf(
  error: unknown,
  onError: (error: unknown) => void,
): { readonly status: number; readonly text: string } {
  if (error instanceof ReaderFailure) return { status: error.status, text: error.message }
  const { code, detail } = problemOf(error)
  if ((error as { statusCode?: unknown } | null)?.statusCode === 413) return { status: 413, text: 'Too long' }
  if (code === 'INTERNAL' || code.startsWith('STORE_')) onError(error)
  return { status: statusOf(code), text: detail === undefined ? code : `${code}: ${detail}` }
}
