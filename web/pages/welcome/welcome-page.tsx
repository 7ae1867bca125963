import { useState } from 'react'
import { Link } from 'wouter'
import { useCall } from '../../client/use-call.ts'
import { t } from '../../language/current.ts'
import { Page } from '../../ui/page.tsx'
import { AddSource } from '../sources/add-source.tsx'
import { ImportList } from '../sources/import-list.tsx'
import { FirstFeed } from './first-feed.tsx'
import './welcome.css'

const steps = () => [t.session.password, t.shell.pages.sources, t.welcome.firstQueryFeed, t.shell.pages.read] as const

/** From nothing to a first query feed. The password was step one. */
export default function WelcomePage() {
  const [step, setStep] = useState<1 | 2 | 3>(1)
  const [madeName, setMadeName] = useState<string | null>(null)
  return (
    <Page title={t.welcome.firstMinutes}>
      <ol className="steps" aria-label={t.welcome.steps}>
        {steps().map((name, i) => (
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
          {t.welcome.goOn}
        </button>
        <span className="muted" role="status">
          {total === 0 ? t.welcome.oneIsEnough : t.welcome.followed({ sources: t.common.sources({ n: total }) })}
        </span>
      </div>
    </>
  )
}

function Done({ name }: { readonly name: string }) {
  return (
    <section className="panel stack">
      <h2>{t.welcome.thatIsIt}</h2>
      <p>{t.welcome.fills({ name })}</p>
      <div className="row">
        <Link className="button main" href={`/queries/${encodeURIComponent(name)}`}>
          {t.welcome.addresses}
        </Link>
        <Link className="button" href={`/read?feed=${encodeURIComponent(name)}`}>
          {t.welcome.readHere}
        </Link>
        <Link className="button" href="/">
          {t.shell.pages.overview}
        </Link>
      </div>
    </section>
  )
}

function WaysToAdd({ onAdded }: { readonly onAdded: () => void }) {
  return (
    <div className="stack">
      <section className="panel stack">
        <h2>{t.welcome.followSite}</h2>
        <AddSource onAdded={onAdded} />
      </section>
      <section className="panel stack">
        <h2>{t.welcome.orBring}</h2>
        <ImportList onDone={onAdded} />
      </section>
    </div>
  )
}
