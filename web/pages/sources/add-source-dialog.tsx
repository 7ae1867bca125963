import { Dialog } from '../../ui/dialog.tsx'
import { AddSource } from './add-source.tsx'

export function AddSourceDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Add a source" isWide={true} onClose={onClose}>
      <AddSource onAdded={() => {}} />
    </Dialog>
  )
}
