import { t } from '../../language/current.ts'
import { Dialog } from '../../ui/dialog.tsx'

const keys = () =>
  [
    ['j', t.read.keyNext],
    ['k', t.read.keyBefore],
    ['m', t.read.keyRead],
    ['s', t.read.keyStar],
    ['o', t.read.keyOpen],
    ['A', t.read.keyAllRead],
    ['/', t.read.keySearch],
    ['r', t.read.keyLook],
    ['[', t.read.keyFolders],
    ['?', t.read.keyKeys],
  ] as const

export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={t.read.keys} onClose={onClose}>
      <dl className="pairs">
        {keys().map(([key, what]) => (
          <div key={key} style={{ display: 'contents' }}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
