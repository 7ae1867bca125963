import type { ReaderState } from '../../buffer/buffer.ts'
import { type ClusterStatus, readClusterStatus } from '../../cluster/cluster-status.ts'
import { HeadwaterError } from '../../runtime/errors.ts'
import type { OpenedData } from './opened-data.ts'

/** How several processes on the same data stand, with how far each reader of new items is behind. */
export interface ClusterStanding extends ClusterStatus {
  readonly readers: readonly ReaderState[]
}

/** Throws CLUSTER_NONE where one process alone can have the data. */
export async function readClusterStanding({ cluster, buffer, name }: OpenedData): Promise<ClusterStanding> {
  if (cluster === null) throw new HeadwaterError('CLUSTER_NONE', name)
  const [status, { readers }] = await Promise.all([readClusterStatus(cluster), buffer.state()])
  return { ...status, readers }
}
