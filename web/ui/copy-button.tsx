import { useState } from 'react'
import { t } from '../language/current.ts'

const SAID_FOR_MS = 2_000

export function CopyButton({ text, label = t.common.copy }: { readonly text: string; readonly label?: string }) {
  const [message, setSaid] = useState<string | null>(null)
  const copy = async () => {
    const isDone = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    setSaid(isDone ? t.common.copied : t.common.selectIt)
    setTimeout(() => setSaid(null), SAID_FOR_MS)
  }
  return (
    <button type="button" className="button little" onClick={copy}>
      <span aria-live="polite">{message ?? label}</span>
    </button>
  )
}
