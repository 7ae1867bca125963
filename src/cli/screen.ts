import { terminalSafe } from './style.ts'

/** A whole terminal that is drawn again and again. */
export interface Screen {
  /** Keeps what was there; the signal aborts when the person has had enough (q or Ctrl-C). */
  open(): AbortSignal
  size(): { readonly columns: number; readonly rows: number }
  draw(lines: readonly string[]): void
  close(): void
}

const OPEN = '\u001b[?1049h\u001b[?25l'
const CLOSE = '\u001b[?25h\u001b[?1049l'
const USUAL = { columns: 80, rows: 24 }
const ENOUGH = new Set(['q', 'Q', '\u0003', '\u001b'])

/** The alternate screen of the terminal (xterm): afterwards everything is as it was. */
export function terminalScreen(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Screen {
  const ending = new AbortController()
  const onKey = (key: Buffer) => {
    if (ENOUGH.has(key.toString())) ending.abort()
  }
  return {
    open() {
      output.write(OPEN)
      if (input.isTTY) input.setRawMode(true).on('data', onKey).resume()
      return ending.signal
    },
    size: () => ({ columns: output.columns || USUAL.columns, rows: output.rows || USUAL.rows }),
    draw(lines) {
      // Line by line over what was there: clearing it first would flicker.
      output.write(`\u001b[H${lines.map((line) => `${terminalSafe(line)}\u001b[K`).join('\r\n')}\u001b[J`)
    },
    close() {
      output.write(CLOSE)
      if (input.isTTY) input.setRawMode(false).off('data', onKey).pause()
    },
  }
}
