import { type FormEvent, useState } from 'react'
import type { SourcePatch } from '../../../src/api/operations/wire.ts'
import { call } from '../../client/call.ts'
import { useAction } from '../../client/use-action.ts'
import { t } from '../../language/current.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Failure } from '../../ui/notice.tsx'

interface BulkBarProps {
  readonly ids: ReadonlySet<number>
  readonly onDone: () => void
  readonly onClose: () => void
}

type Asked = 'folder' | 'weight' | 'remove'

/** What can be done with all that are ticked. */
export function BulkBar({ ids, onDone, onClose }: BulkBarProps) {
  const [question, setQuestion] = useState<Asked | null>(null)
  const each = useAction(async (act: (id: number) => Promise<unknown>) => {
    for (const id of ids) await act(id)
    setQuestion(null)
    onDone()
    onClose()
  })
  const change = (body: SourcePatch) => each.run((id) => call('setSource', { params: { id }, body }))
  return (
    <div className="bulk" role="region" aria-label={t.sources.tickedSources}>
      <strong className="grow">{t.sources.ticked({ n: ids.size })}</strong>
      <BulkButton onClick={() => setQuestion('folder')}>{t.sources.moveToFolder}</BulkButton>
      <BulkButton onClick={() => setQuestion('weight')}>{t.sources.setWeight}</BulkButton>
      <BulkButton onClick={() => change({ paused: true })}>{t.sources.pause}</BulkButton>
      <BulkButton onClick={() => change({ paused: false })}>{t.sources.resume}</BulkButton>
      <BulkButton onClick={() => setQuestion('remove')}>{t.sources.remove}</BulkButton>
      <BulkButton onClick={onClose}>{t.sources.untickAll}</BulkButton>
      <Failure error={each.error} />
      {question !== null && (
        <Question
          question={question}
          amount={ids.size}
          onClose={() => setQuestion(null)}
          onAnswer={(text) => {
            if (question === 'remove') each.run((id) => call('removeSource', { params: { id } }))
            else change(question === 'folder' ? { categories: text === '' ? [] : [text] } : { weight: Number(text) })
          }}
        />
      )}
    </div>
  )
}

function BulkButton({ onClick, children }: { readonly onClick: () => void; readonly children: string }) {
  return (
    <button type="button" className="button little" onClick={onClick}>
      {children}
    </button>
  )
}

interface QuestionProps {
  readonly question: Asked
  readonly amount: number
  readonly onAnswer: (text: string) => void
  readonly onClose: () => void
}

const titles = (): Readonly<Record<Asked, string>> => ({
  folder: t.sources.whichFolder,
  weight: t.sources.howMuch,
  remove: t.sources.removeThem,
})

function Question({ question, amount, onAnswer, onClose }: QuestionProps) {
  const [text, setText] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onAnswer(text.trim())
  }
  return (
    <Dialog title={titles()[question]} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        {question === 'remove' ? (
          <p>{t.sources.allLeave({ sources: t.common.sources({ n: amount }) })}</p>
        ) : (
          <Field
            label={question === 'folder' ? t.sources.folder : t.sources.weight}
            help={question === 'folder' ? t.sources.folderHelp : t.sources.weightHelp}
          >
            {(ids) => (
              <input
                {...ids}
                value={text}
                {...(question === 'weight'
                  ? { type: 'number', min: 0.01, max: 1_000, step: 'any', required: true }
                  : {})}
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
        )}
        <div className="row">
          <button type="submit" className={question === 'remove' ? 'button danger' : 'button main'}>
            {question === 'remove'
              ? t.sources.removeSources({ sources: t.common.sources({ n: amount }) })
              : t.sources.doIt}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
