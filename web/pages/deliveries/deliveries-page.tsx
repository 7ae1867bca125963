import { t } from '../../language/current.ts'
import { Page } from '../../ui/page.tsx'
import { Deliveries } from './deliveries.tsx'
import { Follows } from './follows.tsx'
import { HubSubscribers } from './hub-subscribers.tsx'
import './deliveries.css'

export default function DeliveriesPage() {
  return (
    <Page title={t.shell.pages.deliveries}>
      <p className="lead">{t.deliveries.lead}</p>
      <Deliveries />
      <HubSubscribers />
      <Follows />
    </Page>
  )
}
