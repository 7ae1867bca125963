import type { Problem } from '../../src/api/operations/wire.ts'
import { errorWords, inputWords } from '../format/told-words.ts'
import { t } from '../language/current.ts'

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
    return { message: t.problems.noAnswer, hint: t.problems.noAnswerHint }
  }
  const { problem } = error
  const { message, hint } = errorWords({ ...problem, message: error.message })
  const details = (problem.errors ?? []).map((one) => (one.path ? `${one.path}: ${inputWords(one)}` : inputWords(one)))
  return { message: [message, ...details].join(' · '), hint }
}

export async function problemOf(answer: Response): Promise<ApiProblem> {
  const body: unknown = await answer.json().catch(() => null)
  if (isProblem(body)) return new ApiProblem(body)
  return new ApiProblem({
    type: 'about:blank',
    title: t.problems.answered({ status: String(answer.status) }),
    status: answer.status,
    code: `HTTP_${answer.status}`,
    hint: t.problems.tryAgain,
  })
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'code' in value && 'title' in value
}
