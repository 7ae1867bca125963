import type { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import type { QueryError } from '../../../../src/api/operations/wire.ts'
import { call } from '../../../client/call.ts'
import { loadCode } from '../../../client/load-code.ts'

interface QueryEditorProps {
  readonly label: string
  readonly text: string
  /** Another number whenever the text was written elsewhere, and takes the place of what is there. */
  readonly revision: number
  readonly errors: readonly QueryError[]
  readonly onChange: (text: string) => void
}

interface EditorInstance {
  readonly view: EditorView
  readonly showErrors: (view: EditorView, errors: readonly QueryError[]) => void
}

/** The editor is loaded when it is first needed: it is as large as the rest of the page. */
export function QueryEditor({ label, text, revision, errors, onChange }: QueryEditorProps) {
  const holder = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorInstance | null>(null)
  const latest = useRef({ onChange, errors, text })
  latest.current = { onChange, errors, text }

  // biome-ignore lint/correctness/useExhaustiveDependencies: made once; the page gives a key where it must be made again
  useEffect(() => {
    let isGone = false
    loadEditor().then((openIn) => {
      if (isGone || holder.current === null) return
      const onTyped = (changed: string) => latest.current.onChange(changed)
      editor.current = openIn(holder.current, { label, text: latest.current.text, onChange: onTyped })
      editor.current.showErrors(editor.current.view, latest.current.errors)
    })
    return () => {
      isGone = true
      editor.current?.view.destroy()
      editor.current = null
    }
  }, [])
  // Not with each text: what was typed since it was told must not be undone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (editor.current) replaceText(editor.current.view, latest.current.text)
  }, [revision])
  useEffect(() => {
    if (editor.current) editor.current.showErrors(editor.current.view, errors)
  }, [errors])
  return <div ref={holder} className="editor" />
}

/** Keeps the cursor where it is, as far as the text reaches. */
function replaceText(view: EditorView, text: string): void {
  const before = view.state.doc.toString()
  if (before !== text) view.dispatch({ changes: { from: 0, to: before.length, insert: text } })
}

async function loadEditor() {
  const [{ makeEditor, showErrors }, vocabulary] = await Promise.all([
    loadCode(() => import('./make-editor.ts')),
    loadVocabulary(),
  ])
  return (host: HTMLElement, options: Omit<QueryEditorProps, 'errors' | 'revision'>): EditorInstance => {
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
    root.replaceChildren()
    const parent = root.appendChild(document.createElement('div'))
    const view = makeEditor(parent, root, { ...options, vocabulary, words: askWords })
    return { view, showErrors }
  }
}

function askWords(begins: string) {
  return call('queryWords', { query: { begins } }).catch(() => null)
}

async function loadVocabulary() {
  const words = await call('queryWords', { query: { limit: 1 } }).catch(() => null)
  return { keywords: new Set(words?.keywords ?? []), fields: new Set(words?.fields ?? []) }
}
