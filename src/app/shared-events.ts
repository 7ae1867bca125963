import type { EventHub } from '../api/events.ts'
import type { JobBoard } from '../cluster/job-board.ts'
import { SECOND_MS, type UserId } from '../model/index.ts'
import type { Layer } from '../runtime/supervisor.ts'
import { jsonState, type NamedState } from '../store/node-state.ts'
import type { Store } from '../store/store.ts'
import type { Data } from './data/opened-data.ts'
import { isReportLog, ReportLog, ReportReader, type StoredReports } from './report-log.ts'

/** What an API tells the others. What a job is like they find on the board. */
type Notice =
  | { readonly kind: 'queries' }
  | { readonly kind: 'job'; readonly id: string; readonly userId: UserId }
  /** Somebody may have lost access. */
  | { readonly kind: 'review' }

const MOST_NOTICES = 100
/** A notification usually comes sooner; a lost one costs so long. */
const LOOK_EVERY_MS = SECOND_MS

/** null: this API has told nothing yet. */
const API_NOTICES: NamedState<StoredReports<Notice> | null> = jsonState('api-notices', null, (stored) =>
  isReportLog(stored) ? (stored as StoredReports<Notice>) : undefined,
)

export interface SharedEventDeps {
  readonly data: Pick<Data, 'notifier'> & { readonly store: Pick<Store, 'states' | 'saveState'> }
  readonly jobs: JobBoard
  /** Of this process. */
  readonly hub: EventHub
}

export interface SharedEvents {
  /** Tells those who listen here, and the other APIs. */
  readonly hub: EventHub
  /** Tells them of jobs once they can find them. */
  readonly jobs: JobBoard
  readonly layer: Layer
}

/**
 * What somebody does at one API, those who listen at another are told as well: it is written as this member's, under numbers of
 * its own, and all are notified. Refreshes and new items do not go this way: every API reads them from the crawlers.
 */
export function shareEvents({ data: { store, notifier }, jobs, hub }: SharedEventDeps): SharedEvents {
  const log = new ReportLog<Notice>(MOST_NOTICES)
  const reader = new ReportReader<Notice>()
  let writing: Promise<void> = Promise.resolve()
  const write = () => {
    writing = writing.then(async () => {
      const pending = log.pending()
      if (pending === null) return
      await store.saveState(API_NOTICES, pending)
      log.confirm(pending)
      notifier.notify('events')
    })
    const done = writing
    // Whoever comes next tries again.
    writing = writing.catch(() => {})
    return done
  }
  const share = (notice: Notice) => {
    log.note(notice)
    write().catch(() => {})
  }
  const tellHere = async (notice: Notice) => {
    if (notice.kind === 'review') return hub.review()
    if (notice.kind === 'queries') return hub.tell(notice)
    const found = hub.listeners === 0 ? null : await jobs.find(notice.id, notice.userId)
    if (found !== null) hub.tell({ kind: 'job', job: found.document }, notice.userId)
  }
  const lookAtOthers = async () => {
    const logs = await store.states(API_NOTICES)
    const news = reader.news(logs.flatMap(({ value, isOwn }) => (isOwn ? [] : (value ?? []))))
    for (const notice of lastOfEach(news)) await tellHere(notice)
  }
  return {
    hub: sharingHub(hub, share),
    jobs: sharingBoard(jobs, share),
    layer: {
      name: 'shared events',
      healthyAfterMs: null,
      async run(signal, succeeded) {
        while (!signal.aborted) {
          const after = notifier.count('events')
          await write()
          await lookAtOthers()
          succeeded()
          await notifier.wait('events', LOOK_EVERY_MS, { signal, after })
        }
      },
    },
  }
}

/** Of a job that has gone on meanwhile there is one state, the last. */
function lastOfEach(news: readonly Notice[]): readonly Notice[] {
  return [...new Map(news.map((notice) => [JSON.stringify(notice), notice])).values()]
}

function sharingHub(hub: EventHub, share: (notice: Notice) => void): EventHub {
  return {
    get listeners() {
      return hub.listeners
    },
    tell(event, onlyTo) {
      hub.tell(event, onlyTo)
      if (event.kind === 'queries') share(event)
    },
    listen: (response, userId, isStillIn) => hub.listen(response, userId, isStillIn),
    review() {
      share({ kind: 'review' })
      return hub.review()
    },
    close: () => hub.close(),
  }
}

/** Whoever does a job posts it every second; others are told when it has got on. */
function sharingBoard(jobs: JobBoard, share: (notice: Notice) => void): JobBoard {
  const last = new Map<string, unknown>()
  return {
    find: (id, userId) => jobs.find(id, userId),
    async post(job) {
      const { id, userId, document, isOver } = job
      await jobs.post(job)
      if (last.get(id) !== document) share({ kind: 'job', id, userId })
      if (isOver) last.delete(id)
      else last.set(id, document)
    },
  }
}
