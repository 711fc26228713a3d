/** kubernetes.io, "Retrieving large results sets in chunks". Recorded from kube-apiserver 1.31. */

import { append } from '../core/lists'
import { badRequest, serverError } from '../http/status'
import { unsignedProblem } from '../schema/go-parse-number'
import { goQuote } from '../schema/go-text'
import { CompactedError } from '../storage/compacted-error'
import type { ListCounts } from '../storage/list-meter'
import {
  FutureRevisionError,
  type RangeResult,
  type Storage,
  type StoredObject,
} from '../storage/storage'
import { decodeContinue, encodeContinue } from './continue-token'
import { resourceExpired } from './gone-error'
import type { RequestContext } from './request-context'
import { isCached, storageKey, storageRange } from './resource'
import { type Selection, selects } from './selection'
import { waitForRevision } from './wait-for-revision'

export interface ListOptions {
  selection: Selection
  limit: number
  continue: string
  resourceVersion: string
  resourceVersionMatch: string
}

export interface ListResult {
  revision: number
  items: StoredObject[]
  continue?: string
  remainingItemCount?: number
}

/** Objects per read of the storage, if there are selectors. */
const SCAN_CHUNK = 1000

/** @throws ApiError 400 bad token, 410 expired token, 500 or 504 future version */
export async function listObjects(
  context: RequestContext,
  options: ListOptions,
): Promise<ListResult> {
  const prefix = storageRange(context.resource, context.namespace)
  const plan = planList(context, options)
  if (plan.notOlderThan)
    await waitForRevision(context, plan.notOlderThan.version, plan.notOlderThan.cached)
  const counts: ListCounts = { fetched: 0, evaluated: 0, returned: 0 }
  const list =
    namesOne(context, options) && options.continue === ''
      ? await singleObject(context, options, plan, counts)
      : await walk(context, prefix, options, plan, counts).catch((error: unknown) => {
          throw asListError(error, plan)
        })
  counts.returned = list.items.length
  context.engine.lists.listed(context.resource, counts)
  return list
}

const namesOne = ({ resource, namespace }: RequestContext, { selection }: ListOptions): boolean =>
  selection.name !== undefined && resource.namespaced === (namespace !== '')

interface Plan {
  notOlderThan?: { version: string; cached: boolean }
  revision: number | undefined
  after: string | undefined
  limit: number
  paging: boolean
}

function planList(context: RequestContext, options: ListOptions): Plan {
  const { resourceVersion: version, resourceVersionMatch: match } = options
  const limit = Math.max(0, options.limit)
  const cached = isCached(context.resource)
  // The watch cache also serves exact versions (KEP-4988).
  const fromSnapshots = cached && context.engine.featureGates.ListFromCacheSnapshot === true
  if (options.continue !== '') {
    const token = decodeContinue(options.continue)
    if (version !== '' && version !== '0')
      throw badRequest('specifying resource version is not allowed when using continue')
    const revision = token.revision < 0 ? undefined : token.revision
    return {
      ...(fromSnapshots && revision !== undefined
        ? { notOlderThan: { version: String(revision), cached } }
        : {}),
      revision,
      after: beforeKey(token.start),
      limit: fromSnapshots && version === '0' ? 0 : limit,
      paging: true,
    }
  }
  // A version is exact with a limit and no resourceVersionMatch.
  const exact = match === 'Exact' || (match === '' && limit > 0)
  const requested = parseRevision(
    version,
    exact || !cached || context.engine.tables.changes.has('ListRevisionBadRequest'),
  )
  if (version === '0')
    return { revision: undefined, after: undefined, limit: cached ? 0 : limit, paging: false }
  if (requested === 0) return { revision: undefined, after: undefined, limit, paging: false }
  // A limit has no effect on a single object.
  if (match === 'Exact' || (exact && !namesOne(context, options)))
    return {
      ...(fromSnapshots ? { notOlderThan: { version, cached } } : {}),
      revision: requested,
      after: undefined,
      limit,
      paging: false,
    }
  const kept = match === 'NotOlderThan' ? limit : 0
  return {
    notOlderThan: { version, cached: cached && !exact },
    revision: undefined,
    after: undefined,
    limit: kept,
    paging: false,
  }
}

/** The token's start is inclusive (`name\0` follows `name`), the storage's `after` exclusive. */
function beforeKey(start: string): string {
  return start.endsWith('\0')
    ? start.slice(0, -1)
    : `${start.slice(0, -1)}${String.fromCharCode(start.charCodeAt(start.length - 1) - 1)}\uffff`
}

/**
 * @param pastCache the read bypasses the watch cache
 * @throws ApiError 500, past the cache 400
 */
export function parseRevision(version: string, pastCache: boolean): number {
  const problem = version === '' ? undefined : unsignedProblem(version)
  if (problem === undefined) return Number(version)
  const text = `resourceVersion: Invalid value: ${goQuote(version)}: ${problem}`
  throw pastCache ? badRequest(`invalid resource version: ${text}`) : serverError(text)
}

async function singleObject(
  context: RequestContext,
  options: ListOptions,
  plan: Plan,
  counts: ListCounts,
): Promise<ListResult> {
  const { storage } = context.engine
  const key = storageKey(context.resource, context.namespace, options.selection.name ?? '')
  try {
    const revision = plan.revision ?? (await latestRevision(storage, key))
    const stored = await storage.get(key, { revision })
    if (stored) counts.fetched = counts.evaluated = 1
    if (stored && context.resource.conversion)
      await context.resource.conversion.prepare([stored], 'all')
    const matches =
      stored !== undefined && selects(options.selection, context.resource, stored.object)
    return { revision, items: matches ? [stored] : [] }
  } catch (error) {
    throw asListError(error, plan)
  }
}

export async function latestRevision(storage: Storage, key: string): Promise<number> {
  return (await storage.range(key, { limit: 0 })).revision
}

async function walk(
  context: RequestContext,
  prefix: string,
  options: ListOptions,
  plan: Plan,
  counts: ListCounts,
): Promise<ListResult> {
  const { storage } = context.engine
  const { selection } = options
  const items: StoredObject[] = []
  let revision = plan.revision
  let after = plan.after === undefined ? undefined : prefix + plan.after
  for (;;) {
    const wanted =
      plan.limit === 0 ? undefined : selection.everything ? plan.limit - items.length : SCAN_CHUNK
    const range: RangeResult = await storage.range(prefix, {
      ...(revision === undefined ? {} : { revision }),
      ...(wanted === undefined ? {} : { limit: wanted }),
      ...(after === undefined ? {} : { after }),
    })
    revision = range.revision
    counts.fetched += range.items.length
    counts.evaluated += range.items.length
    if (context.resource.conversion) await context.resource.conversion.prepare(range.items, 'all')
    if (selection.everything && items.length === 0) append(items, range.items)
    else {
      for (const [index, item] of range.items.entries()) {
        if (!selects(selection, context.resource, item.object)) continue
        items.push(item)
        if (plan.limit === 0 || items.length < plan.limit) continue
        counts.evaluated -= range.items.length - index - 1
        const more = index < range.items.length - 1 || range.remaining > 0
        return {
          revision,
          items,
          ...(more ? { continue: tokenBehind(item, prefix, revision) } : {}),
        }
      }
    }
    const last = range.items[range.items.length - 1]
    if (range.remaining === 0 || last === undefined) return { revision, items }
    if (plan.limit > 0 && items.length >= plan.limit) {
      return {
        revision,
        items,
        continue: tokenBehind(last, prefix, revision),
        ...(selection.everything ? { remainingItemCount: range.remaining } : {}),
      }
    }
    after = last.key
  }
}

function tokenBehind(item: StoredObject, prefix: string, revision: number): string {
  return encodeContinue({ revision, start: `${item.key.slice(prefix.length)}\0` })
}

const EXPIRED_CONTINUE =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.'

function asListError(error: unknown, plan: Plan): unknown {
  if (error instanceof FutureRevisionError)
    return serverError('etcdserver: mvcc: required revision is a future revision')
  if (!(error instanceof CompactedError)) return error
  if (!plan.paging) return resourceExpired('The resourceVersion for the provided list is too old.')
  const expired = resourceExpired(EXPIRED_CONTINUE)
  expired.status.metadata = {
    continue: encodeContinue({ revision: -1, start: `${plan.after ?? ''}\0` }),
  }
  return expired
}
