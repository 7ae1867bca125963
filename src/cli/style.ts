/** What a word tells: whether it is well, needs an eye, or is wrong; or that it is of less weight. */
export type Tone = 'heading' | 'good' | 'warning' | 'bad' | 'dim'

/** Words as this terminal shows them. */
export type Style = (tone: Tone, text: string) => string

export const WITHOUT_COLOURS: Style = (_tone, text) => text

/** Colours that are legible on dark and light ground (ECMA-48 SGR). */
const CODES: Readonly<Record<Tone, readonly [number, number]>> = {
  heading: [1, 22],
  good: [32, 39],
  warning: [33, 39],
  bad: [31, 39],
  dim: [2, 22],
}

const COLOURED: Style = (tone, text) => {
  const [on, off] = CODES[tone]
  return text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`
}

/** NO_COLOR (no-color.org) and FORCE_COLOR decide; else a terminal has colours, and what is piped has none. */
export function styleFor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Style {
  if (env['NO_COLOR']) return WITHOUT_COLOURS
  const forced = env['FORCE_COLOR']
  if (forced !== undefined && forced !== '') return forced === '0' || forced === 'false' ? WITHOUT_COLOURS : COLOURED
  return isTerminal && env['TERM'] !== 'dumb' ? COLOURED : WITHOUT_COLOURS
}

const SEQUENCES =
  /\u001b\[[\d;]*m|\u001b(?:\[[0-?]*[ -/]*[@-~]?|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.?)|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]/gs

/** Titles come from strangers: nothing but colours reaches a terminal, or a feed could rewrite what it shows. */
export function terminalSafe(text: string): string {
  return text.replace(SEQUENCES, (found) => (/^\u001b\[[\d;]*m$/.test(found) ? found : ''))
}
