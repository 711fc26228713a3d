/**
 * `GET /kubetab/v1/consequences` and `/kubetab/v1/causes`: why objects changed. kube-apiserver has
 * neither.
 */
import type { Storage } from '../storage/storage'
import { causesOf, lastWriteOfUser } from './causes'
import { type Consequences, consequencesOf, type Step } from './consequences'
import type { ControllerWrite } from './controller-writes'

type Parameter = (name: string) => readonly string[]

export interface CausalChain {
  kind: 'CausalChain'
  apiVersion: 'kubetab/v1'
  /** False if part of the chain is compacted. */
  complete: boolean
  /** The chain reached its size limit. */
  truncated: boolean
  resourceVersion: string
  /** Oldest first. */
  steps: ChainStep[]
}

export interface ChainStep {
  resourceVersion: string
  type: Step['type']
  object: { apiVersion: string; kind: string; namespace?: string; name: string }
  /** Absent for the first write. */
  user?: string
  /** The causing resourceVersion. */
  cause?: string
  fields: string[]
}

/** @returns undefined for other paths; a string for an invalid parameter */
export function causalityDocument(
  path: string,
  parameter: Parameter,
  storage: Storage,
  writes: () => readonly ControllerWrite[],
): CausalChain | string | undefined {
  const document = DOCUMENTS.get(path)
  if (document === undefined) return undefined
  const revisions = parameter('resourceVersion').map(Number)
  if (!revisions.every((revision) => Number.isSafeInteger(revision) && revision > 0))
    return 'resourceVersion must be a positive integer'
  const chain = document({ storage, writes: writes(), revisions, uids: parameter('uid') })
  return typeof chain === 'string' ? chain : shown(chain)
}

interface Query {
  storage: Storage
  writes: readonly ControllerWrite[]
  revisions: readonly number[]
  uids: readonly string[]
}

const EMPTY: Consequences = { complete: true, newest: 0, steps: [], truncated: false }

/** Without parameters: of the last user write. */
function consequences({ storage, writes, revisions, uids }: Query): Consequences {
  if (revisions.length > 0 || uids.length > 0)
    return consequencesOf(storage, writes, { revisions, deleted: uids }) ?? EMPTY
  const last = lastWriteOfUser(storage, writes)
  if (last === undefined) return { ...EMPTY, newest: storage.currentRevision() }
  return consequencesOf(storage, writes, { revisions: [last], deleted: [] }) ?? EMPTY
}

function causes({ storage, writes, revisions }: Query): Consequences | string {
  const [revision, ...others] = revisions
  if (revision === undefined || others.length > 0) return 'one resourceVersion is required'
  return causesOf(storage, writes, revision)
}

const DOCUMENTS: ReadonlyMap<string, (query: Query) => Consequences | string> = new Map([
  ['/kubetab/v1/consequences', consequences],
  ['/kubetab/v1/causes', causes],
])

const shown = ({ complete, truncated, newest, steps }: Consequences): CausalChain => ({
  kind: 'CausalChain',
  apiVersion: 'kubetab/v1',
  complete,
  truncated,
  resourceVersion: String(newest),
  steps: steps.map(({ revision, type, kind, namespace, name, by, cause, object, fields }) => ({
    resourceVersion: String(revision),
    type,
    object: {
      apiVersion: object.apiVersion,
      kind,
      ...(namespace !== '' && { namespace }),
      name,
    },
    ...(by !== undefined && { user: by }),
    ...(cause !== undefined && { cause: String(cause) }),
    fields,
  })),
})
