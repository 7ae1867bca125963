import { Component, type ReactNode } from 'react'
import { t } from '../language/current.ts'
import { Empty } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'

interface Props {
  /** Another one is another page. */
  readonly path: string
  readonly children: ReactNode
}

interface State {
  readonly error: unknown
}

/** A page whose code does not come (a node of another version, no connection), or that fails, says so; without it nothing at all would be drawn. */
export class BrokenPage extends Component<Props, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }

  override componentDidUpdate({ path }: Props): void {
    if (path !== this.props.path && this.state.error !== null) this.setState({ error: null })
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <Page title={t.shell.brokenPage}>
        <section className="panel stack">
          <Empty title={error instanceof Error ? error.message : String(error)}>{t.shell.brokenWhy}</Empty>
          <div>
            <button type="button" className="button main" onClick={() => location.reload()}>
              {t.shell.loadAgain}
            </button>
          </div>
        </section>
      </Page>
    )
  }
}
