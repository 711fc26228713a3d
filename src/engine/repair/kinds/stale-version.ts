/** After a 409 because the object has changed, repeats the change on the current object. */
import {
  entryOf,
  equalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  setMember,
} from '../../core/object'
import { pathOf } from '../rejection'
import type { Candidate, Rejection, RepairKind } from '../repair'

/** Members of metadata that the server sets on every write. */
const SERVER_SET = ['resourceVersion', 'managedFields', 'generation']

export const reapplyChange: RepairKind = {
  name: 'ReapplyChange',
  async candidates(rejection) {
    const { status, grounds, object, request } = rejection
    if (status.reason !== 'Conflict' || grounds !== undefined || object === undefined) return []
    const live = await rejection.read(pathOf(request))
    if (live === undefined) return []
    if (request.method === 'DELETE') return preconditionsOf(object, live)
    if (request.method === 'PATCH') return patchOf(object, live)
    if (request.method === 'PUT') return updateOf(rejection, object, live)
    return []
  },
}

const metadataOf = ({ metadata }: JsonObject): JsonObject =>
  isJsonObject(metadata) ? metadata : {}

function preconditionsOf(options: JsonObject, live: JsonObject): Candidate[] {
  if (!isJsonObject(options.preconditions)) return []
  const metadata = metadataOf(live)
  const edits = Object.keys(options.preconditions).map((name) => ({
    place: ['preconditions', name],
    value: metadata[name] as Json,
  }))
  return [{ title: 'Read the object again, and delete it as it is now', edits }]
}

function patchOf(patch: JsonObject, live: JsonObject): Candidate[] {
  const place = ['metadata', 'resourceVersion']
  if (metadataOf(patch).resourceVersion === undefined) return []
  const value = metadataOf(live).resourceVersion as Json
  return [{ title: 'Read the object again, and repeat the change', edits: [{ place, value }] }]
}

/** Only if no one else changed the same members. */
async function updateOf(
  { request, readAt }: Rejection,
  wanted: JsonObject,
  live: JsonObject,
): Promise<Candidate[]> {
  const version = metadataOf(wanted).resourceVersion
  const base = typeof version === 'string' ? await readAt(version) : undefined
  if (base === undefined) return []
  const merged = merge(withoutServerSet(base), withoutServerSet(wanted), live)
  if (merged === CONFLICT || !isJsonObject(merged)) return []
  const body = JSON.stringify(merged)
  return [
    {
      title: 'Read the object again, and repeat the change',
      request: { ...request, body, contentType: 'application/json' },
    },
  ]
}

/** Items of lists have no kind. */
function withoutServerSet({
  kind: _kind,
  apiVersion: _version,
  ...object
}: JsonObject): JsonObject {
  const metadata = { ...metadataOf(object) }
  for (const name of SERVER_SET) delete metadata[name]
  return { ...object, metadata }
}

const CONFLICT = Symbol('conflict')
type Merged = Json | undefined | typeof CONFLICT

/** Three-way; lists and scalars are values. */
function merge(base: Json | undefined, wanted: Json | undefined, live: Json | undefined): Merged {
  if (equalJson(base, wanted)) return live
  if (equalJson(base, live) || equalJson(wanted, live)) return wanted
  if (!isJsonObject(wanted) || !isJsonObject(live)) return CONFLICT
  const before = isJsonObject(base) ? base : {}
  const result: JsonObject = {}
  for (const name of new Set([...Object.keys(live), ...Object.keys(wanted)])) {
    const value = merge(entryOf(before, name), entryOf(wanted, name), entryOf(live, name))
    if (value === CONFLICT) return CONFLICT
    if (value !== undefined) setMember(result, name, value)
  }
  return result
}
