import { useEffect, useState } from 'react'
import type { KubeObject } from '../../../../engine/core/object'
import { useActors } from '../../../state/actors'
import { ApiFailure, get, sendRequest } from '../../../state/client'
import { useCluster } from '../../../state/cluster'
import { pathOf } from '../../../state/discovery'
import { queryOfOne, useMoment } from '../../../state/moment'
import type { SelectedObject } from '../../../state/view'
import * as texts from '../shell-texts'

export interface LiveObject {
  object: KubeObject | undefined
  /** If the current revision is shown, `object` is its last version. */
  gone: boolean
  failure: string | undefined
}

export function useLiveObject({ resource, namespace, name }: SelectedObject): LiveObject {
  const version = useCluster(
    ({ kinds }) =>
      kinds.get(`${resource.group}/${resource.resource}`)?.objects.get(`${namespace}/${name}`)
        ?.resourceVersion,
  )
  const actor = useActors((state) => state.actor)
  const revision = useMoment((state) => state.revision)
  const [state, setState] = useState<LiveObject>({
    object: undefined,
    gone: false,
    failure: undefined,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for another version or user
  useEffect(() => {
    let current = true
    readAt({ resource, namespace, name }, revision).then(
      (object) => current && setState({ object, gone: false, failure: undefined }),
      (error: unknown) => {
        if (!current) return
        if (error instanceof ApiFailure && error.response.status === 404)
          // The shown object may be newer than that revision.
          setState((before) => ({
            object: revision === undefined ? before.object : undefined,
            gone: true,
            failure: undefined,
          }))
        else
          setState({
            object: undefined,
            gone: false,
            failure: error instanceof Error ? error.message : String(error),
          })
      },
    )
    return () => {
      current = false
    }
  }, [resource, namespace, name, version, actor, revision])
  return state
}

/** @throws ApiFailure */
async function readAt(
  { resource, namespace, name }: SelectedObject,
  revision: number | undefined,
): Promise<KubeObject> {
  if (revision === undefined) return get<KubeObject>(pathOf(resource, namespace, name))
  const path = `${pathOf(resource, namespace)}${queryOfOne(revision, name)}`
  const response = await sendRequest({ method: 'GET', path, origin: 'page' })
  if (!response.ok) throw new ApiFailure(response)
  const { items } = response.json as { items: KubeObject[] | null }
  const [object] = items ?? []
  if (object === undefined)
    throw new ApiFailure({
      ...response,
      ok: false,
      status: 404,
      json: undefined,
      text: texts.notThen,
    })
  const apiVersion =
    resource.group === '' ? resource.version : `${resource.group}/${resource.version}`
  // Items of a list lack kind and apiVersion.
  return Object.assign({ kind: resource.kind, apiVersion }, object)
}
