import { Dialog } from '../../ui/dialog.tsx'

const KEYS = [
  ['j', 'next item'],
  ['k', 'item before'],
  ['m', 'read or unread'],
  ['s', 'star or unstar'],
  ['o', 'open the original'],
  ['A', 'mark all read'],
  ['/', 'search'],
  ['r', 'look for new items'],
  ['[', 'hide or show the folders'],
  ['?', 'these keys'],
] as const

export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="pairs">
        {KEYS.map(([key, what]) => (
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
