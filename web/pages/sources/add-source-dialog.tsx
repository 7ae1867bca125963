import { t } from '../../language/current.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { AddSource } from './add-source.tsx'
import { Bookmarklet } from './bookmarklet.tsx'

interface AddSourceDialogProps {
  /** To begin with. */
  readonly address: string
  readonly onClose: () => void
}

export function AddSourceDialog({ address, onClose }: AddSourceDialogProps) {
  return (
    <Dialog title={t.sources.addSource} isWide={true} onClose={onClose}>
      <AddSource address={address} onAdded={() => {}} />
      <Bookmarklet />
    </Dialog>
  )
}
