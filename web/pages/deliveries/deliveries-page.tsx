import { Page } from '../../ui/page.tsx'
import { Deliveries } from './deliveries.tsx'
import { Follows } from './follows.tsx'
import './deliveries.css'

export default function DeliveriesPage() {
  return (
    <Page title="Deliveries">
      <p className="lead">
        Where items go besides Read: each new item of a query feed to a webhook, by mail or into a file.
      </p>
      <Deliveries />
      <Follows />
    </Page>
  )
}
