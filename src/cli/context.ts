import type { Random } from '../model/index.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Screen } from './screen.ts'
import type { Style } from './style.ts'
import type { Waiting } from './waiting.ts'

/** The world as a command sees it; tests bring their own. */
export interface CliContext {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Progress is shown only to a person. */
  readonly isTerminal: boolean
  /** How words are shown on standard output; absent: plainly. */
  readonly style?: Style
  /** The whole terminal, for commands that draw on it; absent: the output is none. */
  readonly screen?: Screen
  /** Tells a person at a terminal that the command still works; absent: nobody is there. */
  readonly waiting?: Waiting
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly random: Random
  readonly readStdin: () => Promise<Uint8Array>
  /** Asks the person at the terminal; null: nobody is there. */
  readonly ask: ((question: string) => Promise<string>) | null
  /** Aborts on Ctrl-C or a polite kill. */
  readonly signal: AbortSignal
}
