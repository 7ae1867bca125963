import { HOUR_MS } from '../../../model/index.ts'
import { packHashBytes } from '../../rows/hashes.ts'
import { packRest } from '../../rows/items.ts'
import { COUNT_NAMES } from '../../rows/quality.ts'
import { packStateRest } from '../../rows/sources.ts'
import { windowBytes } from '../../rows/windows.ts'
import { pageToFetch } from '../../rules/page-queue.ts'
import type { RefreshRecord } from '../../store.ts'
import type { REFRESH_PARAMETERS } from '../schema/record-refreshes.ts'

type Columns = Record<keyof typeof REFRESH_PARAMETERS, unknown[]>

/** A group of records as the arrays that record_refreshes takes; `movedTo` without log-ins. */
export function refreshColumns(records: readonly RefreshRecord[]): Columns {
  return {
    ...stateColumns(records),
    ...observationColumns(records),
    ...dayColumns(records),
    ...qualityColumns(records),
    ...renamedColumns(records),
    ...newColumns(records),
    ...changedColumns(records),
  }
}

function stateColumns(records: readonly RefreshRecord[]) {
  const states = records.map(({ state }) => state)
  return {
    source_id: records.map(({ sourceId }) => sourceId),
    lease_shard: records.map(({ lease }) => lease?.shard ?? null),
    lease_token: records.map(({ lease }) => lease?.token ?? null),
    status: states.map(({ status }) => status),
    failure_count: states.map(({ failureCount }) => failureCount),
    last_check_at: states.map(({ lastCheckAt }) => lastCheckAt),
    next_check_at: states.map(({ nextCheckAt }) => nextCheckAt),
    last_success_at: states.map(({ lastSuccessAt }) => lastSuccessAt),
    last_new_item_at: states.map(({ lastNewItemAt }) => lastNewItemAt),
    dates_credible: states.map(({ datesCredible }) => datesCredible),
    format: states.map(({ format }) => format),
    title: states.map(({ title }) => title),
    site_url: states.map(({ siteUrl }) => siteUrl),
    etag: states.map(({ etag }) => etag),
    last_modified: states.map(({ lastModified }) => lastModified),
    body_hash: states.map(({ bodyHash }) => (bodyHash === null ? null : packHashBytes(bodyHash))),
    next_check_reason: states.map(({ nextCheckReason }) => nextCheckReason),
    rest: states.map(packStateRest),
    // What was not modified shows what it showed.
    entries: records.map(({ observation, state }) =>
      observation?.notModified === true ? null : windowBytes(state.window),
    ),
    moved_to: records.map(({ movedTo }) => movedTo),
  }
}

function observationColumns(records: readonly RefreshRecord[]) {
  const seen = records.map(({ observation }) => observation)
  const why = records.map(({ decision }) => decision)
  return {
    observed_at: seen.map((one) => one?.at ?? null),
    previous_at: seen.map((one) => one?.previousAt ?? null),
    new_items: seen.map((one) => one?.newItems ?? null),
    window_size: seen.map((one) => one?.windowSize ?? null),
    overlap: seen.map((one) => one?.overlap ?? null),
    lost_at_least: seen.map((one) => one?.lostAtLeast ?? null),
    not_modified: seen.map((one) => one?.notModified ?? null),
    bytes: seen.map((one) => one?.bytes ?? null),
    latency_ms: seen.map((one) => one?.latencyMs ?? null),
    item_times: seen.map((one) => (one == null || one.itemTimes.length === 0 ? null : `{${one.itemTimes.join(',')}}`)),
    loss: seen.map((one) => (one?.loss === undefined ? null : JSON.stringify(one.loss))),
    cause: why.map((one) => one?.cause ?? null),
    price: why.map((one) => one?.price ?? null),
    expected: why.map((one) => one?.expected ?? null),
  }
}

function dayColumns(records: readonly RefreshRecord[]) {
  const days = records.map(({ intake }) => intake)
  return {
    day: days.map((one) => one?.day ?? null),
    taken: days.map((one) => one?.taken ?? null),
    repaired: days.map((one) => one?.repaired ?? null),
    refused: days.map((one) => one?.refused ?? null),
  }
}

function qualityColumns(records: readonly RefreshRecord[]) {
  const delays = records.flatMap(({ quality }, index) =>
    (quality?.delays ?? []).map((delay) => ({ record: index + 1, ...delay })),
  )
  return {
    hour: records.map(({ quality, observation, state }) =>
      quality === undefined ? null : Math.floor((observation?.at ?? state.lastCheckAt ?? 0) / HOUR_MS),
    ),
    sums: records.flatMap(({ quality }) => COUNT_NAMES.map((name) => quality?.[name] ?? 0)),
    delay_record: delays.map(({ record }) => record),
    delay_bucket: delays.map(({ bucket }) => bucket),
    delay_items: delays.map(({ items }) => items),
  }
}

function renamedColumns(records: readonly RefreshRecord[]) {
  const renamed = records.flatMap(({ renamedItems }, index) =>
    renamedItems.map((one) => ({ record: index + 1, ...one })),
  )
  return {
    renamed_record: renamed.map(({ record }) => record),
    renamed_from: renamed.map(({ from }) => packHashBytes(from)),
    renamed_to: renamed.map(({ to }) => packHashBytes(to)),
  }
}

function newColumns(records: readonly RefreshRecord[]) {
  const items = records.flatMap(({ newItems }) => newItems)
  const pages = records.flatMap((record) =>
    record.newItems.map((item) => (record.fetchesPages === true ? pageToFetch(item) : null)),
  )
  return {
    new_record: records.flatMap(({ newItems }, index) => newItems.map(() => index + 1)),
    new_key: items.map(({ key }) => packHashBytes(key)),
    new_hash: items.map(({ contentHash }) => packHashBytes(contentHash)),
    new_sort_at: items.map(({ sortAt }) => sortAt),
    new_first_seen_at: items.map(({ firstSeenAt }) => firstSeenAt),
    new_published: items.map(({ published }) => published),
    new_updated: items.map(({ updated }) => updated),
    new_id: items.map(({ id }) => id),
    new_link: items.map(({ link }) => link),
    new_title: items.map(({ title }) => title),
    new_rest: items.map(packRest),
    new_summary: items.map(({ summary }) => summary),
    new_content: items.map(({ content }) => content),
    new_page_url: pages.map((page) => page?.url ?? null),
    new_page_shard: pages.map((page) => page?.shard ?? null),
  }
}

function changedColumns(records: readonly RefreshRecord[]) {
  const items = records.flatMap(({ changedItems }) => changedItems)
  return {
    changed_record: records.flatMap(({ changedItems }, index) => changedItems.map(() => index + 1)),
    changed_key: items.map(({ key }) => packHashBytes(key)),
    changed_hash: items.map(({ contentHash }) => packHashBytes(contentHash)),
    changed_at: items.map(({ changedAt }) => changedAt),
    changed_published: items.map(({ published }) => published),
    changed_updated: items.map(({ updated }) => updated),
    changed_id: items.map(({ id }) => id),
    changed_link: items.map(({ link }) => link),
    changed_title: items.map(({ title }) => title),
    changed_rest: items.map(packRest),
    changed_summary: items.map(({ summary }) => summary),
    changed_content: items.map(({ content }) => content),
  }
}
