import type { z } from 'zod'
import type { clusterState } from './cluster.ts'
import type { follow } from './follows.ts'
import type { hubView } from './hub.ts'
import type { itemDetail, itemRow } from './items.ts'
import type { listing, listingSuggestion } from './listings.ts'
import type { networkView } from './network.ts'
import type { labResult, overview, qualityPoint } from './node.ts'
import type { Operation } from './operation.ts'
import type { feedPreview, listedQueryFeed, queryError, queryFeedDetail, queryForm, subscription } from './queries.ts'
import type { reasonClause } from './reason-forms.ts'
import type { me } from './session.ts'
import type { problem } from './shared.ts'
import type { foundFeed, job, refresh, sourceDetail, sourcePatch, sourceRow } from './sources.ts'

/** What goes over the wire, for clients in TypeScript. */
export type Problem = z.infer<typeof problem>
export type Me = z.infer<typeof me>
export type SourceRow = z.infer<typeof sourceRow>
export type SourceDetail = z.infer<typeof sourceDetail>
export type SourcePatch = z.infer<typeof sourcePatch>
export type ReasonClause = z.infer<typeof reasonClause>
export type Refresh = z.infer<typeof refresh>
export type FoundFeed = z.infer<typeof foundFeed>
export type ListingChoice = z.infer<typeof listing>
export type ListingSuggestion = z.infer<typeof listingSuggestion>
export type Job = z.infer<typeof job>
export type ItemRow = z.infer<typeof itemRow>
export type ItemDetail = z.infer<typeof itemDetail>
export type QueryError = z.infer<typeof queryError>
export type QueryFeedRow = z.infer<typeof listedQueryFeed>
export type QueryFormFields = z.infer<typeof queryForm>
export type QueryFeedDetail = z.infer<typeof queryFeedDetail>
export type FeedPreview = z.infer<typeof feedPreview>
export type FollowRow = z.infer<typeof follow>
export type SubscriptionRow = z.infer<typeof subscription>
export type QualityPoint = z.infer<typeof qualityPoint>
export type Overview = z.infer<typeof overview>
export type HubOverview = z.infer<typeof hubView>
export type NetworkFigures = z.infer<typeof networkView>
export type ClusterState = z.infer<typeof clusterState>
export type LabResult = z.infer<typeof labResult>

type Fields = z.ZodObject<Readonly<Record<string, z.ZodType>>>

/** What a client sends and gets: defaults may be left out. */
export interface Call<O> {
  readonly params: O extends Operation<infer P, Fields, z.ZodType, z.ZodType> ? z.input<P> : never
  readonly query: O extends Operation<Fields, infer Q, z.ZodType, z.ZodType> ? z.input<Q> : never
  readonly body: O extends Operation<Fields, Fields, infer B, z.ZodType> ? z.input<B> : never
  readonly answer: O extends Operation<Fields, Fields, z.ZodType, infer A> ? z.output<A> : never
}
