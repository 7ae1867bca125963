import { HeadwaterError } from '../../runtime/errors.ts'
import { createThreadPool } from '../../runtime/threads.ts'
import type { ArticleExtractor, ArticlePage, Extraction, ExtractionFailure, RuleTrial, SiteRule } from '../article.ts'
import { MOST_PAGE_BYTES } from '../extract/limits.ts'
import type { ExtractAnswer, ExtractQuestion } from './question.ts'

export interface ExtractorOptions {
  readonly threads?: number
  /** For one page, from when a thread begins with it. */
  readonly deadlineMs?: number
  /** For the JavaScript heap of one thread. */
  readonly memoryMb?: number
  /** A thread without pages ends after so long. */
  readonly idleMs?: number
  /** Of a page that a library tripped over, which then gives no article. */
  readonly onSurprise?: (page: ArticlePage, error: string) => void
}

const USUAL_THREADS = 1
const USUAL_DEADLINE_MS = 10_000
const USUAL_MEMORY_MB = 256
const USUAL_IDLE_MS = 60_000

/**
 * Extraction in threads, started when there is a page. A thread that takes too long or too much memory is ended, and the page it was
 * at is `too-costly`; the others wait for the next thread, and are not affected. As many pages wait as callers hand over.
 */
export function createExtractor(options: ExtractorOptions = {}): ArticleExtractor {
  const pool = createThreadPool<ExtractQuestion, ExtractAnswer>({
    name: 'articles',
    module: new URL(import.meta.url.endsWith('.js') ? './extract-thread.js' : './extract-thread.ts', import.meta.url),
    data: null,
    threads: options.threads ?? USUAL_THREADS,
    mostWaiting: Number.POSITIVE_INFINITY,
    deadlineMs: options.deadlineMs ?? USUAL_DEADLINE_MS,
    deadlineFrom: 'beginning',
    resourceLimits: { maxOldGenerationSizeMb: options.memoryMb ?? USUAL_MEMORY_MB },
    idleMs: options.idleMs ?? USUAL_IDLE_MS,
    here: null,
  })

  const ask = async (question: ExtractQuestion): Promise<ExtractAnswer> => {
    if (question.page.body.length > MOST_PAGE_BYTES) return answerOf('too-large')
    try {
      return await pool.ask(question)
    } catch (error) {
      if (!wasTooCostly(error)) throw error
      return answerOf('too-costly')
    }
  }

  return {
    async extract(page, rules = []): Promise<Extraction> {
      const answer = await ask({ kind: 'extract', page, rules })
      if (answer.kind !== 'extraction') throw new Error('a trial instead of an extraction')
      if (answer.surprise !== null) options.onSurprise?.(page, answer.surprise)
      return answer.extraction
    },
    async tryRule(rule: SiteRule, page): Promise<RuleTrial> {
      const answer = await ask({ kind: 'try', page, rule })
      return answer.kind === 'trial' ? answer.trial : failedTrial(answer.extraction)
    },
    close: () => pool.close(),
  }
}

function answerOf(reason: ExtractionFailure): ExtractAnswer {
  return { kind: 'extraction', extraction: { kind: 'failure', reason }, surprise: null }
}

function failedTrial(extraction: Extraction): RuleTrial {
  const found = { where: 0, content: 0, title: 0, author: 0, date: 0, remove: 0 }
  const reason = extraction.kind === 'failure' ? extraction.reason : 'no-text'
  return { found, problems: [`content: the page gives no article (${reason})`], extraction }
}

function wasTooCostly(error: unknown): boolean {
  if (error instanceof HeadwaterError) return error.code === 'ANSWER_TOO_LATE'
  const cause = error instanceof Error ? error.cause : null
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
