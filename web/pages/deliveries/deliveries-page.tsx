import { Page } from '../../ui/page.tsx'
import { Deliveries } from './deliveries.tsx'
import { Follows } from './follows.tsx'
import './deliveries.css'

export default function DeliveriesPage() {
  return (
    <Page title="Deliveries">
      <p className="muted">
        What you follow here, and what is sent elsewhere. Both tell the node what people want: a source that more people
        get is refreshed more often.
      </p>
      <Follows />
      <Deliveries />
    </Page>
  )
}
