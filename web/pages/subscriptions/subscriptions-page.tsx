import { Page } from '../../ui/page.tsx'
import { Deliveries } from './deliveries.tsx'
import { Follows } from './follows.tsx'
import './subscriptions.css'

export default function SubscriptionsPage() {
  return (
    <Page title="Subscriptions">
      <p className="muted">
        What you follow here, and what is sent elsewhere. Both tell the node what is wanted: a source that more people
        get is looked at more often.
      </p>
      <Follows />
      <Deliveries />
    </Page>
  )
}
