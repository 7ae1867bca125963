import { Dialog } from '../../ui/dialog.tsx'
import { ImportList } from './import-list.tsx'

export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Import a list" onClose={onClose}>
      <ImportList onDone={() => {}} />
    </Dialog>
  )
}
