import { useState } from 'react'
import { t } from '../../language/current.ts'
import { Icon } from '../../ui/icon.tsx'

const SAID_FOR_MS = 2_000

/** By what the system offers; else the address is copied. */
export function ShareButton({ title, url }: { readonly title: string; readonly url: string }) {
  const [message, setMessage] = useState<string | null>(null)
  const share = async () => {
    // Leaving the sheet of the system without a choice is no failure.
    if (typeof navigator.share === 'function') return navigator.share({ title, url }).catch(() => undefined)
    const isDone = await navigator.clipboard.writeText(url).then(
      () => true,
      () => false,
    )
    setMessage(isDone ? t.common.copied : url)
    setTimeout(() => setMessage(null), SAID_FOR_MS)
  }
  return (
    <button type="button" className="button quiet little" onClick={share}>
      <Icon name="share" />
      <span aria-live="polite">{message ?? t.read.share}</span>
    </button>
  )
}
