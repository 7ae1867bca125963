import { useState } from 'react'
import { Link } from 'wouter'
import { useCall } from '../../client/use-call.ts'
import { t } from '../../language/current.ts'
import { Page } from '../../ui/page.tsx'
import { AddSource } from '../sources/add-source.tsx'
import { ImportList } from '../sources/import-list.tsx'
import { FirstFeed } from './first-feed.tsx'
import './welcome.css'

const STEPS = ['Password', 'Sources', 'First query feed', 'Read'] as const

/** From nothing to a first query feed. The password was step one. */
export default function WelcomePage() {
  const [step, setStep] = useState<1 | 2 | 3>(1)
  const [madeName, setMadeName] = useState<string | null>(null)
  return (
    <Page title="Your first five minutes">
      <ol className="steps" aria-label="Steps">
        {STEPS.map((name, i) => (
          <li key={name} className={i < step ? 'is-done' : ''} aria-current={i === step ? 'step' : undefined}>
            {name}
          </li>
        ))}
      </ol>
      {step === 1 && <Sources onNext={() => setStep(2)} />}
      {step === 2 && (
        <FirstFeed
          onMade={(name) => {
            setMadeName(name)
            setStep(3)
          }}
        />
      )}
      {step === 3 && madeName !== null && <Done name={madeName} />}
    </Page>
  )
}

function Sources({ onNext }: { readonly onNext: () => void }) {
  const table = useCall('listSources', { query: { limit: 1 } })
  const total = table.data?.total ?? 0
  return (
    <>
      <WaysToAdd onAdded={table.reload} />
      <div className="row">
        <button type="button" className="button main" disabled={total === 0} onClick={onNext}>
          Go on
        </button>
        <span className="muted" role="status">
          {total === 0 ? 'One source is enough to go on.' : `${t.common.sources({ n: total })} followed.`}
        </span>
      </div>
    </>
  )
}

function Done({ name }: { readonly name: string }) {
  return (
    <section className="panel stack">
      <h2>That is it</h2>
      <p>
        The feed <strong>{name}</strong> fills from the archive and with everything that comes. The node checks your
        sources as often as they are worth it, within its budget.
      </p>
      <div className="row">
        <Link className="button main" href={`/queries/${encodeURIComponent(name)}`}>
          Its addresses
        </Link>
        <Link className="button" href={`/read?feed=${encodeURIComponent(name)}`}>
          Read it here
        </Link>
        <Link className="button" href="/">
          Overview
        </Link>
      </div>
    </section>
  )
}

function WaysToAdd({ onAdded }: { readonly onAdded: () => void }) {
  return (
    <div className="query-grid">
      <section className="panel stack">
        <h2>Follow a site</h2>
        <AddSource onAdded={onAdded} />
      </section>
      <section className="panel stack">
        <h2>Or bring your list</h2>
        <ImportList onDone={onAdded} />
      </section>
    </div>
  )
}
