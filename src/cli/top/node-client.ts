import { HeadwaterError } from '../../runtime/errors.ts'

/** Reads the API of a running node with one token. */
export interface ApiReader {
  readonly url: string
  get<Answer>(path: string): Promise<Answer>
}

const LONGEST_ANSWER_MS = 20_000

export function nodeClient(url: string, token: string, signal: AbortSignal): ApiReader {
  return {
    url,
    async get<Answer>(path: string): Promise<Answer> {
      const response = await fetch(`${url}${path}`, {
        headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
        // A token is for this node alone.
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_ANSWER_MS)]),
      }).catch((cause: Error) => {
        throw new HeadwaterError('NODE_NOT_REACHED', `${url} (${wordsFor(cause)})`, { cause })
      })
      if (response.ok) return (await response.json()) as Answer
      const problem = (await response.json().catch(() => ({}))) as { code?: string; title?: string }
      const words = `${url} says ${response.status} ${problem.title ?? ''}`.trim()
      throw new HeadwaterError('NODE_NOT_REACHED', words)
    },
  }
}

function wordsFor({ name, message, cause }: Error): string {
  const inner = cause instanceof Error && 'code' in cause ? String(cause.code) : message
  return name === 'TimeoutError' ? 'no answer' : inner
}
