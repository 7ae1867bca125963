import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { t } from '../../../language/current.ts'
import { Icon } from '../../../ui/icon.tsx'

interface WordFieldProps {
  readonly label: string
  readonly words: readonly string[]
  readonly placeholder: string
  readonly isNot?: boolean
  readonly onChange: (words: readonly string[]) => void
  /** What may be meant by what was begun. */
  readonly offers?: readonly string[]
  readonly onTyped?: (text: string) => void
  /** Why a word cannot be taken; null: it can. */
  readonly problemOf?: (word: string) => string | null
}

/** Words as chips: Enter or a comma takes one in, Backspace in the empty field takes the last one out. */
export function WordField(props: WordFieldProps) {
  const { label, words, placeholder, isNot = false, onChange, offers = [], onTyped, problemOf } = props
  const id = useId()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const type = (typed: string) => {
    setText(typed)
    setProblem(null)
    onTyped?.(typed)
  }
  const take = (typed: string) => {
    const word = typed.trim()
    if (word === '') return
    const wrong = problemOf?.(word) ?? null
    setProblem(wrong)
    if (wrong !== null) return
    if (!words.includes(word)) onChange([...words, word])
    type('')
  }
  const remove = (word: string) => {
    onChange(words.filter((one) => one !== word))
    input.current?.focus()
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault()
      take(text)
    }
    if (event.key === 'Backspace' && text === '') onChange(words.slice(0, -1))
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className={isNot ? 'word-field not' : 'word-field'}>
        {words.map((word) => (
          <span key={word} className="word">
            {word}
            <button type="button" aria-label={t.queries.withoutWord({ word })} onClick={() => remove(word)}>
              <Icon name="close" />
            </button>
          </span>
        ))}
        <input
          id={id}
          ref={input}
          value={text}
          list={`${id}-offers`}
          placeholder={placeholder}
          autoComplete="off"
          autoCapitalize="none"
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : `${id}-problem`}
          onChange={(event) => type(event.target.value)}
          onKeyDown={press}
          onBlur={() => take(text)}
        />
        <datalist id={`${id}-offers`}>
          {offers.map((offer) => (
            <option key={offer} value={offer} />
          ))}
        </datalist>
      </div>
      {problem !== null && (
        <div className="mistake" id={`${id}-problem`} role="alert">
          {problem}
        </div>
      )}
    </div>
  )
}
