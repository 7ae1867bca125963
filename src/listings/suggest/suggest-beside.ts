import { createThreadPool, type ThreadPool } from '../../runtime/threads.ts'
import { type PageSuggestions, type SuggestionTask, suggestForBytes } from './suggest-page.ts'

/** Nobody waits longer for a page of their own. */
const DEADLINE_MS = 10_000
const MOST_WAITING = 10

/** Beside the event loop: a page full of lists takes long to judge. null: it is no page. Rejects as thread pools do. */
export function suggestBeside(task: SuggestionTask): Promise<PageSuggestions | null> {
  return suggestions().ask(task)
}

let pool: ThreadPool<SuggestionTask, PageSuggestions | null> | null = null

/** A thread that ends with its work. */
function suggestions(): ThreadPool<SuggestionTask, PageSuggestions | null> {
  pool ??= createThreadPool<SuggestionTask, PageSuggestions | null>({
    name: 'suggestions',
    module: new URL(import.meta.url.endsWith('.js') ? './suggest-thread.js' : './suggest-thread.ts', import.meta.url),
    data: null,
    mostWaiting: MOST_WAITING,
    deadlineMs: DEADLINE_MS,
    idleMs: 0,
    here: async (task) => suggestForBytes(task),
  })
  return pool
}
