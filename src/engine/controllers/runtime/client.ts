/**
 * Requests are authorized, admitted, audited and field-managed like those of
 * kube-controller-manager.
 */
import type { UserInfo } from '../../authentication/authenticator'
import type { ControllerCauses } from '../../causality/controller-writes'
import { MEDIA_TYPE } from '../../core/names'
import { entryOf, type KubeObject, parseApiVersion } from '../../core/object'
import type { ApiRequest, ApiResponse } from '../../http/messages'
import { ApiError, type Status } from '../../http/status'
import type { Resource } from '../../registry/resource'
import type { Work } from '../../time/work'
import type { Stored } from './stored'

export type Serve = (user: UserInfo, request: ApiRequest) => Promise<ApiResponse>

export interface Preconditions {
  uid?: string | undefined
  resourceVersion?: string | undefined
}

export interface DeleteOptions {
  gracePeriodSeconds?: number
  propagationPolicy?: 'Foreground' | 'Background' | 'Orphan'
  preconditions?: Preconditions
}

export type Reference = Pick<KubeObject, 'apiVersion' | 'kind'> & {
  metadata: { name?: string; namespace?: string }
}

/** @throws ApiError with the Status of the response */
export interface Client {
  get<Kind = KubeObject>(reference: Reference, subresource?: string): Promise<Stored<Kind>>
  create<Kind = KubeObject>(given: object): Promise<Stored<Kind>>
  /** @param of the object itself, if the body has another kind (Scale) */
  update<Kind = KubeObject>(
    object: KubeObject,
    subresource?: string | { of: Reference; subresource: string },
  ): Promise<Stored<Kind>>
  merge<Kind = KubeObject>(
    reference: Reference,
    patch: object,
    subresource?: string,
  ): Promise<Stored<Kind>>
  strategicMerge<Kind = KubeObject>(
    reference: Reference,
    patch: object,
    subresource?: string,
  ): Promise<Stored<Kind>>
  apply<Kind = KubeObject>(
    object: Reference,
    manager: string,
    subresource?: string,
  ): Promise<Stored<Kind>>
  post(reference: Reference, subresource: string, body: object): Promise<unknown>
  /** Succeeds if absent. */
  delete(reference: Reference, options?: DeleteOptions): Promise<void>
  deleteAll(reference: Reference, options?: DeleteOptions): Promise<void>
}

export interface ClientOptions {
  serve: Serve
  user: UserInfo
  userAgent: string
  resourceOf(apiVersion: string, kind: string): Resource | undefined
  /** Runs after current work, so that other requests are served in between. */
  defer(run: () => void): void
  work: Work
  causes: ControllerCauses
  revision(): number
}

const utf8 = new TextEncoder()
const text = new TextDecoder()

export function makeClient({
  serve,
  user,
  userAgent,
  resourceOf,
  defer,
  work,
  causes,
  revision: latest,
}: ClientOptions): Client {
  const pathOf = (
    { apiVersion, kind, metadata }: Reference,
    name: string | undefined,
    subresource = '',
  ): string => {
    const { group, version } = parseApiVersion(apiVersion)
    const resource = resourceOf(apiVersion, kind)
    if (resource === undefined) throw new ApiError(unserved(apiVersion, kind))
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
    const namespace = resource.namespaced ? `/namespaces/${metadata.namespace ?? ''}` : ''
    return [`${root}${namespace}/${resource.resource}`, name, subresource].filter(Boolean).join('/')
  }

  async function send<Kind>(
    { kind, metadata }: Reference,
    method: string,
    target: string,
    body?: object,
    contentType: string = MEDIA_TYPE.json,
  ): Promise<Stored<Kind>> {
    const bytes = body === undefined ? new Uint8Array() : utf8.encode(JSON.stringify(body))
    const headers: Record<string, string> = { accept: MEDIA_TYPE.json, 'user-agent': userAgent }
    if (body !== undefined)
      Object.assign(headers, {
        'content-type': contentType,
        'content-length': String(bytes.length),
      })
    // The response may arrive while other keys are processed.
    const reasons = causes.current()
    const before = latest()
    work.begin()
    try {
      await new Promise<void>((resolve) => defer(resolve))
      const response = await serve(user, {
        method,
        target,
        header: (name) => entryOf(headers, name),
        headerNames: () => Object.keys(headers),
        body: () => Promise.resolve(bytes),
      })
      const parsed = jsonOf(response)
      if (response.status >= 400) throw new ApiError(parsed as Status)
      const revision = revisionOf(parsed)
      // A no-op write responds with an earlier revision.
      if (method !== 'GET' && (revision === undefined || revision > before))
        causes.writes.add({
          user: user.name,
          kind,
          namespace: metadata.namespace ?? '',
          name: metadata.name ?? nameOf(parsed),
          revision,
          causes: reasons,
        })
      return parsed as Stored<Kind>
    } finally {
      work.end()
    }
  }

  const patch =
    (contentType: string) =>
    <Kind>(reference: Reference, change: object, subresource = '') =>
      send<Kind>(
        reference,
        'PATCH',
        pathOf(reference, reference.metadata.name, subresource),
        change,
        contentType,
      )

  return {
    get: (reference, subresource) =>
      send(reference, 'GET', pathOf(reference, reference.metadata.name, subresource)),
    create: (given) =>
      send(given as Reference, 'POST', pathOf(given as Reference, undefined), given),
    update(object, below) {
      const { of, subresource } =
        typeof below === 'object' ? below : { of: object, subresource: below }
      return send(of, 'PUT', pathOf(of, object.metadata.name, subresource), object)
    },
    merge: patch(MEDIA_TYPE.mergePatch),
    strategicMerge: patch(MEDIA_TYPE.strategicMergePatch),
    apply: (object, manager, subresource) =>
      send(
        object,
        'PATCH',
        `${pathOf(object, object.metadata.name, subresource)}?fieldManager=${manager}&force=true`,
        object,
        MEDIA_TYPE.applyPatch,
      ),
    post: (reference, subresource, body) =>
      send(reference, 'POST', pathOf(reference, reference.metadata.name, subresource), body),
    async delete(reference, options) {
      try {
        await send(reference, 'DELETE', pathOf(reference, reference.metadata.name), {
          kind: 'DeleteOptions',
          apiVersion: 'v1',
          ...options,
        })
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
    },
    async deleteAll(reference, options) {
      await send(reference, 'DELETE', pathOf(reference, undefined), {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        ...options,
      })
    },
  }
}

function jsonOf({ body, status }: ApiResponse): unknown {
  const content =
    typeof body === 'string' ? body : body instanceof Uint8Array ? text.decode(body) : ''
  return content.startsWith('{') ? JSON.parse(content) : plainFailure(status, content)
}

const plainFailure = (code: number, message: string): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message,
  code,
})

const nameOf = (response: unknown): string =>
  (response as { metadata?: { name?: string } }).metadata?.name ?? ''

function revisionOf(response: unknown): number | undefined {
  const revision = Number(
    (response as { metadata?: { resourceVersion?: string } }).metadata?.resourceVersion,
  )
  return revision > 0 ? revision : undefined
}

const unserved = (apiVersion: string, kind: string): Status => ({
  ...plainFailure(404, `no matches for kind "${kind}" in version "${apiVersion}"`),
  reason: 'NotFound',
})

const hasReason = (error: unknown, ...reasons: string[]): boolean =>
  error instanceof ApiError && reasons.includes(error.status.reason ?? '')
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 404
export const isConflict = (error: unknown): boolean => hasReason(error, 'Conflict')
export const alreadyExists = (error: unknown): boolean => hasReason(error, 'AlreadyExists')
/** A terminating namespace rejects every create, so a retry is useless. */
export const inTerminatingNamespace = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false)
