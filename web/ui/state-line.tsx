import type { SourceRow } from '../../src/api/operations/wire.ts'
import { stateWords } from '../format/state-words.ts'

export function stateLook(state: Pick<SourceRow, 'condition' | 'errorCode'>): string {
  return `state ${stateWords(state).look}`
}

/** The state of a source in words, with a shape beside them. */
export function StateLine({ source }: { readonly source: Pick<SourceRow, 'condition' | 'errorCode'> }) {
  const { words, look } = stateWords(source)
  return <span className={`state ${look}`}>{words}</span>
}
