/** Sends the writes of a repair and the repaired request, and reverts them. */
import type { KubeObject } from '../../../engine/core/object'
import { type Actor, PAGE_ACTOR } from '../../state/actors'
import { type ApiResponse, sendRequest } from '../../state/client'
import { useConnection } from '../../state/connection'
import { targetOf } from '../../state/request-target'
import type { Repair } from './review'

type Sent = Pick<Repair['request'], 'method' | 'path' | 'contentType' | 'body'>

export interface Written {
  /** Of the object. */
  path: string
  /** undefined: created. */
  before: KubeObject | undefined
  after: KubeObject
}

export interface CarriedOut {
  response: ApiResponse
  /** Whose response it is: a rejected write of the repair ends it. */
  of: 'request' | 'write'
  written: Written[]
  deleted: boolean
}

/** Controllers apply some changes, such as those of quotas, after a moment. */
const TRIES = 20
const PAUSE_MILLISECONDS = 150

export async function carryOut(repair: Repair, actor: Actor): Promise<CarriedOut> {
  const written: Written[] = []
  const deleted = repair.request.method === 'DELETE'
  for (const { body, ...write } of repair.writes) {
    const response = await send({ ...write, body: JSON.stringify(body) }, PAGE_ACTOR, written)
    if (!response.ok) return { response, of: 'write', written, deleted: false }
  }
  const { before } = await readBefore(repair.request)
  let response = await sendOnce(repair.request, actor)
  for (let tried = 1; mayPassLater(response, repair) && tried < TRIES; tried++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS))
    response = await sendOnce(repair.request, actor)
  }
  note(repair.request, before, response, written)
  return { response, of: 'request', written, deleted: deleted && response.ok }
}

const mayPassLater = ({ status }: ApiResponse, { writes }: Repair): boolean =>
  writes.length > 0 && status >= 400 && status < 500

async function send(request: Sent, actor: Actor, written: Written[]): Promise<ApiResponse> {
  const { before } = await readBefore(request)
  const response = await sendOnce(request, actor)
  note(request, before, response, written)
  return response
}

const sendOnce = ({ method, path, contentType, body }: Sent, actor: Actor): Promise<ApiResponse> =>
  sendRequest({
    method,
    path,
    actor,
    ...(contentType === undefined ? {} : { contentType }),
    ...(body === undefined || body === '' ? {} : { body }),
  })

const objectPath = (path: string): string => path.split('?')[0] ?? ''

async function readBefore({ method, path }: Sent): Promise<{ before: KubeObject | undefined }> {
  if (method !== 'PUT' && method !== 'PATCH') return { before: undefined }
  return { before: await read(objectPath(path)) }
}

async function read(path: string): Promise<KubeObject | undefined> {
  const response = await sendRequest({ method: 'GET', path, actor: PAGE_ACTOR, origin: 'page' })
  return response.ok ? (response.json as KubeObject) : undefined
}

function note(
  { method, path }: Sent,
  before: KubeObject | undefined,
  response: ApiResponse,
  written: Written[],
): void {
  const after = response.json as KubeObject | undefined
  const isStored = response.ok && after?.metadata?.uid !== undefined && !/[?&]dryRun=/.test(path)
  if (!isStored || method === 'GET' || method === 'DELETE') return
  const name = encodeURIComponent(after.metadata.name ?? '')
  const place = method === 'POST' ? `${objectPath(path)}/${name}` : objectPath(path)
  written.push({ path: place, before, after })
}

/** Newest first. @returns names of objects that others have changed since, which stay */
export async function undo(written: readonly Written[]): Promise<string[]> {
  const kept: string[] = []
  for (const one of [...written].reverse())
    if (!(await undoOne(one))) kept.push(`${one.after.kind} ${one.after.metadata.name}`)
  return kept
}

async function undoOne({ path, before, after }: Written): Promise<boolean> {
  const now = await read(path)
  if (now === undefined || now.metadata.uid !== after.metadata.uid) return before === undefined
  if (await changedByUser(path, Number(after.metadata.resourceVersion))) return false
  const { uid, resourceVersion } = now.metadata
  const response =
    before === undefined
      ? await sendOnce(
          { method: 'DELETE', path, body: JSON.stringify({ preconditions: { uid } }) },
          PAGE_ACTOR,
        )
      : await sendOnce(
          { method: 'PUT', path, body: JSON.stringify(withVersion(before, resourceVersion)) },
          PAGE_ACTOR,
        )
  return response.ok
}

const withVersion = (object: KubeObject, resourceVersion: string | undefined): object => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion },
})

/** Controllers react to a write: their changes do not count. */
async function changedByUser(path: string, since: number): Promise<boolean> {
  const target = targetOf(path)
  const channel = useConnection.getState().connection?.channel
  if (target === undefined || channel === undefined) return false
  const [, root, group = ''] = path.split('/')
  const { namespace = '', resource, name = '' } = target
  const states = await channel.request('history', {
    group: root === 'apis' ? group : '',
    resource,
    namespace,
    name,
  })
  return states.some(({ revision, author }) => revision > since && isUser(author))
}

const isUser = (author: string | undefined): boolean =>
  author !== undefined && !/^system:(?:serviceaccount:kube-system:|node:|kube-)/.test(author)
