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
  const [asked, setAsked] = useState<Asked | null>(null)
  const each = useAction(async (act: (id: number) => Promise<unknown>) => {
    for (const id of ids) await act(id)
    setAsked(null)
    onDone()
    onClose()
  })
  const change = (body: SourcePatch) => each.run((id) => call('setSource', { params: { id }, body }))
  return (
    <div className="bulk" role="region" aria-label="Ticked sources">
      <strong className="grow">{ids.size} ticked</strong>
      <BulkButton onClick={() => setAsked('folder')}>Move to a folder</BulkButton>
      <BulkButton onClick={() => setAsked('weight')}>Set weight</BulkButton>
      <BulkButton onClick={() => change({ paused: true })}>Pause</BulkButton>
      <BulkButton onClick={() => change({ paused: false })}>Resume</BulkButton>
      <BulkButton onClick={() => setAsked('remove')}>Remove</BulkButton>
      <BulkButton onClick={onClose}>Untick all</BulkButton>
      <Failure error={each.error} />
      {asked !== null && (
        <Question
          asked={asked}
          amount={ids.size}
          onClose={() => setAsked(null)}
          onAnswer={(text) => {
            if (asked === 'remove') each.run((id) => call('removeSource', { params: { id } }))
            else change(asked === 'folder' ? { categories: text === '' ? [] : [text] } : { weight: Number(text) })
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
  readonly asked: Asked
  readonly amount: number
  readonly onAnswer: (text: string) => void
  readonly onClose: () => void
}

const TITLES: Readonly<Record<Asked, string>> = {
  folder: 'Move to which folder?',
  weight: 'How much do they count?',
  remove: 'Remove them?',
}

function Question({ asked, amount, onAnswer, onClose }: QuestionProps) {
  const [text, setText] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onAnswer(text.trim())
  }
  return (
    <Dialog title={TITLES[asked]} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        {asked === 'remove' ? (
          <p>{t.common.sources({ n: amount })} and all their items leave the archive and every query feed.</p>
        ) : (
          <Field
            label={asked === 'folder' ? 'Folder' : 'Weight'}
            help={asked === 'folder' ? 'As News/World; empty: none.' : '1 is usual; 2 counts twice as much.'}
          >
            {(ids) => (
              <input
                {...ids}
                value={text}
                {...(asked === 'weight' ? { type: 'number', min: 0.01, max: 1_000, step: 'any', required: true } : {})}
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
        )}
        <div className="row">
          <button type="submit" className={asked === 'remove' ? 'button danger' : 'button main'}>
            {asked === 'remove' ? `Remove ${t.common.sources({ n: amount })}` : 'Do it'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
