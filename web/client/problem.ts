import type { Problem } from '../../src/api/operations/wire.ts'

/** What the node answered instead of what was requested. */
class ApiProblem extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail ?? problem.title)
    this.name = 'ApiProblem'
    this.problem = problem
  }

  get code(): string {
    return this.problem.code
  }
}

/** What the browser refuses, shown as what the node refuses is. */
export class NotifyRefused extends Error {
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.name = 'NotifyRefused'
    this.hint = hint
  }
}

/** In words for a person: what is wrong, and what to do. */
export function describeError(error: unknown): { readonly message: string; readonly hint: string } {
  if (error instanceof NotifyRefused) return error
  if (!(error instanceof ApiProblem)) {
    return { message: 'The node does not answer', hint: 'Is it still running? This page tries again by itself.' }
  }
  const { problem } = error
  const details = (problem.errors ?? []).map(({ path, message }) => (path ? `${path}: ${message}` : message))
  return { message: [error.message, ...details].join(' · '), hint: problem.hint }
}

export async function problemOf(answer: Response): Promise<ApiProblem> {
  const body: unknown = await answer.json().catch(() => null)
  if (isProblem(body)) return new ApiProblem(body)
  return new ApiProblem({
    type: 'about:blank',
    title: `The node answered ${answer.status}`,
    status: answer.status,
    code: `HTTP_${answer.status}`,
    hint: 'Try again; the log of the node says more.',
  })
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'code' in value && 'title' in value
}
