import type { Random } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'

/** The world as a command sees it; tests bring their own. */
export interface CliContext {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Progress is shown only to a person. */
  readonly isTerminal: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly random: Random
  readonly readStdin: () => Promise<Uint8Array>
  /** Asks the person at the terminal; null: nobody is there. */
  readonly ask: ((question: string) => Promise<string>) | null
  /** Aborts on Ctrl-C or a polite kill. */
  readonly signal: AbortSignal
}
