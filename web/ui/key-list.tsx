import { Dialog } from './dialog.tsx'

interface KeyListProps {
  readonly title: string
  readonly keys: readonly (readonly [key: string, what: string])[]
  readonly onClose: () => void
}

/** Keys and what they do. */
export function KeyList({ title, keys, onClose }: KeyListProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <dl className="pairs">
        {keys.map(([key, what]) => (
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
