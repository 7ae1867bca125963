import { t } from '../../language/current.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ImportList } from './import-list.tsx'

export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={t.sources.importList} onClose={onClose}>
      <ImportList onDone={() => {}} />
    </Dialog>
  )
}
