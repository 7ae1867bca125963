import { type Extension, RangeSetBuilder } from '@codemirror/state'
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { type TokenLook, tokenSpans, type Vocabulary } from './tokens.ts'

const LOOKS: readonly TokenLook[] = ['keyword', 'field', 'string', 'number', 'variable', 'comment', 'pattern']
const MARKS = new Map(LOOKS.map((look) => [look, Decoration.mark({ class: `q-${look}` })]))

/** Queries are short, so the whole text is read after each change. */
export function highlighting(vocabulary: Vocabulary): Extension {
  const decorate = (view: EditorView): DecorationSet => {
    const builder = new RangeSetBuilder<Decoration>()
    for (const { from, to, look } of tokenSpans(view.state.doc.toString(), vocabulary)) {
      builder.add(from, to, MARKS.get(look) as Decoration)
    }
    return builder.finish()
  }
  return ViewPlugin.define(
    (view) => ({
      decorations: decorate(view),
      update(update: ViewUpdate) {
        if (update.docChanged) this.decorations = decorate(update.view)
      },
    }),
    { decorations: ({ decorations }) => decorations },
  )
}
