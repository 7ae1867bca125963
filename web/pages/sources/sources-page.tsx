import { useDeferredValue, useMemo, useState } from 'react'
import { Link, useSearch } from 'wouter'
import { linkTo } from '../../client/call.ts'
import { useEventThrottled } from '../../client/events.ts'
import { useCall } from '../../client/use-call.ts'
import { useNow } from '../../format/clock.ts'
import { count } from '../../language/amounts.ts'
import { t } from '../../language/current.ts'
import { useSession } from '../../session/session.tsx'
import { Empty, Failure, Loading } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { AddSourceDialog } from './add-source-dialog.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { FILTER_TRIES, filterRows, filterWords, mistakeIn, parseFilter } from './filter.ts'
import { addressHandedOver } from './handed-over.ts'
import { ImportDialog } from './import-dialog.tsx'
import { SourceTable } from './source-table.tsx'
import './sources.css'
import { type Column, type Sort, sortRows, type TableData, tableData } from './table-data.ts'
import { useTicks } from './use-ticks.ts'

// A table of fifty thousand is megabytes, so it is requested again rarely.
const RELOAD_MS = 5_000
const RELOAD_LARGE_MS = 60_000
const LARGE = 2_000
const CLOCK_MS = 5_000

export default function SourcesPage() {
  const table = useCall('sourceTable', {})
  const data = useMemo(() => (table.data ? tableData(table.data) : null), [table.data])
  const isLarge = (data?.count ?? 0) > LARGE
  useEventThrottled('refresh', isLarge ? RELOAD_LARGE_MS : RELOAD_MS, table.reload)
  const handed = addressHandedOver(useSearch())
  const [dialog, setDialog] = useState<'add' | 'import' | null>(handed === '' ? null : 'add')
  const close = () => {
    setDialog(null)
    table.reload()
  }
  return (
    <Page title={t.shell.pages.sources} actions={<TableActions onOpen={setDialog} />}>
      <Failure error={table.error} />
      {data === null && table.error === null && <Loading what={t.sources.theSources} />}
      {data !== null && (data.count === 0 ? <NoSources /> : <FilteredSources data={data} onChange={table.reload} />)}
      {dialog === 'add' && <AddSourceDialog address={handed} onClose={close} />}
      {dialog === 'import' && <ImportDialog onClose={close} />}
    </Page>
  )
}

function TableActions({ onOpen }: { readonly onOpen: (dialog: 'add' | 'import') => void }) {
  const { can } = useSession()
  return (
    <>
      {can('write') && (
        <>
          <button type="button" className="button main" onClick={() => onOpen('add')}>
            {t.sources.addSource}
          </button>
          <button type="button" className="button" onClick={() => onOpen('import')}>
            {t.sources.importList}
          </button>
        </>
      )}
      <a className="button" href={linkTo('exportOpml')} download="headwater.opml">
        {t.sources.exportOpml}
      </a>
    </>
  )
}

function NoSources() {
  return (
    <section className="panel stack">
      <Empty title={t.sources.noSources}>{t.sources.noSourcesHint}</Empty>
      <div>
        <Link href="/welcome" className="button main">
          {t.sources.showHow}
        </Link>
      </div>
    </section>
  )
}

function FilteredSources({ data, onChange }: { readonly data: TableData; readonly onChange: () => void }) {
  const [text, setText] = useState(() => new URLSearchParams(location.search).get('filter') ?? '')
  const [sort, setSort] = useState<Sort>({ column: 'name', isDescending: false })
  const deferredText = useDeferredValue(text)
  const now = useNow(CLOCK_MS)
  // The filter looks at the clock as it was when it was typed: lines that leave by themselves cannot be clicked.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const chosen = useMemo(() => filterRows(data, parseFilter(deferredText), now), [data, deferredText])
  const order = useMemo(() => sortRows(data, chosen, sort), [data, chosen, sort])
  const { ticked, tick, clear } = useTicks(data, order)
  const sortBy = (column: Column) =>
    setSort((last) => ({ column, isDescending: last.column === column ? !last.isDescending : false }))
  return (
    <>
      <FilterField text={text} onChange={setText} />
      <p className="small muted" role="status">
        {t.sources.ofSources({ shown: count(order.length), all: count(data.count), filter: filterWords(deferredText) })}
      </p>
      {ticked.size > 0 && <BulkBar ids={ticked} onDone={onChange} onClose={clear} />}
      {order.length === 0 ? (
        <NothingFits text={deferredText} onClear={() => setText('')} />
      ) : (
        <SourceTable
          columns={data.columns}
          order={order}
          sort={sort}
          now={now}
          ticked={ticked}
          onSort={sortBy}
          onTick={tick}
        />
      )}
    </>
  )
}

function FilterField({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }) {
  return (
    <div className="stack tight">
      <input
        type="search"
        aria-label={t.sources.filter}
        placeholder={t.sources.filterPlaceholder}
        value={text}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
      <div className="tries small muted">
        {t.sources.try}
        {FILTER_TRIES.map((one) => (
          <button key={one} type="button" onClick={() => onChange(`${text} ${one}`.trim())}>
            {one}
          </button>
        ))}
      </div>
    </div>
  )
}

function NothingFits({ text, onClear }: { readonly text: string; readonly onClear: () => void }) {
  return (
    <section className="panel stack">
      <Empty title={t.sources.noneFits}>{mistakeIn(text) ?? t.sources.tryFewer}</Empty>
      <div>
        <button type="button" className="button" onClick={onClear}>
          {t.sources.showAll}
        </button>
      </div>
    </section>
  )
}
