import { t } from '../../language/current.ts'
import { Icon } from '../../ui/icon.tsx'

/** Where the system offers to share; everywhere else the link can be copied. */
export function ShareButton({ title, url }: { readonly title: string; readonly url: string }) {
  if (typeof navigator.share !== 'function') return null
  // Leaving the sheet of the system without a choice is no failure.
  const share = () => navigator.share({ title, url }).catch(() => undefined)
  return (
    <button type="button" className="button quiet little" onClick={share}>
      <Icon name="share" />
      {t.read.share}
    </button>
  )
}
