import { Page } from '../../ui/page.tsx'
import { Deliveries } from './deliveries.tsx'
import { Follows } from './follows.tsx'
import './subscriptions.css'

export default function SubscriptionsPage() {
  return (
    <Page title="Subscriptions">
      <p className="muted">
        What you follow here, and what is sent elsewhere. Both tell the node what people want: a source that more people
        get is refreshed more often.
      </p>
      <Follows />
      <Deliveries />
    </Page>
  )
}
