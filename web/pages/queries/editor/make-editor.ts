import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, lineNumbers, placeholder } from '@codemirror/view'
import { minimalSetup } from 'codemirror'
import type { QueryError } from '../../../../src/api/operations/wire.ts'
import type { OperationAnswer } from '../../../client/call.ts'
import { phraseWords } from '../../../format/told-words.ts'
import { completion } from './complete.ts'
import { highlighting } from './highlight.ts'
import type { Vocabulary } from './tokens.ts'

export interface EditorSetup {
  readonly text: string
  readonly label: string
  readonly vocabulary: Vocabulary
  readonly words: (begins: string) => Promise<OperationAnswer<'queryWords'> | null>
  readonly onChange: (text: string) => void
}

/** `root` is a shadow root: there the library adopts its style sheets, which the content policy of the node allows. */
export function makeEditor(parent: HTMLElement, root: ShadowRoot, setup: EditorSetup): EditorView {
  const extensions: Extension[] = [
    minimalSetup,
    lineNumbers(),
    EditorView.lineWrapping,
    placeholder('CREATE FEED name AS RETURN ALL WHERE …'),
    highlighting(setup.vocabulary),
    completion(setup.words),
    EditorView.contentAttributes.of({ 'aria-label': setup.label, spellcheck: 'false', autocapitalize: 'off' }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) setup.onChange(update.state.doc.toString())
    }),
    replaceAtOnce,
    LOOK,
  ]
  return new EditorView({ parent, root, state: EditorState.create({ doc: setup.text, extensions }) })
}

/** A wavy line under the words that are wrong, with the reason when pointed at. */
export function showErrors(view: EditorView, errors: readonly QueryError[]): void {
  const end = view.state.doc.length
  const diagnostics: Diagnostic[] = errors.map(({ offset, length, phrases }) => {
    const from = Math.min(offset, Math.max(0, end - 1))
    return {
      from,
      to: Math.min(end, Math.max(offset + length, from + 1)),
      severity: 'error',
      message: `${phraseWords(phrases.message)}. ${phraseWords(phrases.hint)}`,
    }
  })
  view.dispatch(setDiagnostics(view.state, diagnostics))
}

/**
 * What is typed over a selection. Left to the browser, it would carry over the look of the coloured words as a style
 * attribute, which the content policy refuses loudly.
 */
const replaceAtOnce = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { state } = view
    if (event.inputType !== 'insertText' || event.data === null || event.isComposing || state.selection.main.empty) {
      return false
    }
    view.dispatch(state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true })
    return true
  },
})

const LOOK = EditorView.theme({
  '&': { color: 'var(--ink)', fontSize: '14px', minHeight: '11rem' },
  '.cm-scroller': { minHeight: '11rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--ink)', padding: '0.6rem 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--accent-soft) !important' },
  '.cm-gutters': { background: 'var(--sunken)', color: 'var(--ink-3)', border: 'none' },
  '.cm-placeholder': { color: 'var(--ink-3)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textUnderlineOffset: '3px',
  },
  '.cm-tooltip': {
    background: 'var(--surface)',
    color: 'var(--ink)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionDetail': { fontStyle: 'normal', color: 'inherit', marginLeft: '1rem' },
  '.q-keyword': { color: 'var(--d4)', fontWeight: '600' },
  '.q-field': { color: 'var(--d1)', fontWeight: '600' },
  '.q-string': { color: 'var(--d5)' },
  '.q-number': { color: 'var(--d2)' },
  '.q-variable': { color: 'var(--d6)' },
  '.q-pattern': { color: 'var(--d2)' },
  '.q-comment': { color: 'var(--ink-3)' },
})
