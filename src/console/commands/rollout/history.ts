import { isJsonObject, type JsonObject } from '../../../engine/core/object'
import { applyStrategicMergePatch } from '../../../engine/patch/strategic-merge-patch'
import type { StructType } from '../../../engine/schema/model'
import { selectorOf, selectorText } from '../../../engine/selectors/labels'
import { kindType } from '../../acting/kind-type'
import type { FoundObject } from '../../acting/objects'
import { copyOf } from '../../acting/patches'
import { pathWith } from '../../client'
import type { Context } from '../../command'
import { pathOf } from '../../discovery'
import { CommandError } from '../../errors'

const REVISION = 'deployment.kubernetes.io/revision'
const CAUSE = 'kubernetes.io/change-cause'

export interface Revision {
  number: number
  cause: string
  template: JsonObject
  /** The ReplicaSet or ControllerRevision. */
  object: JsonObject
}

interface Metadata {
  name: string
  uid: string
  annotations?: Record<string, string>
  ownerReferences?: { uid: string; controller?: boolean }[]
}

/** Oldest first. @throws CommandError for kinds without history */
export async function revisionsOf(context: Context, target: FoundObject): Promise<Revision[]> {
  const { resource } = target
  if (resource.kind === 'Deployment')
    return (await ownedBy(context, target, 'replicasets.apps')).map(ofReplicaSet).sort(byNumber)
  if (resource.kind === 'StatefulSet' || resource.kind === 'DaemonSet') {
    const type = await kindType(resource)
    return (await ownedBy(context, target, 'controllerrevisions.apps'))
      .map((revision) => ofControllerRevision(target, revision, type))
      .sort(byNumber)
  }
  throw new CommandError(`no visitor method exists for {${resource.group} ${resource.kind}}`)
}

const byNumber = (a: Revision, b: Revision): number => a.number - b.number

async function ownedBy(
  { client, discovery }: Context,
  { object, namespace }: FoundObject,
  type: string,
): Promise<JsonObject[]> {
  const spec = (isJsonObject(object.spec) ? object.spec : {}) as {
    selector?: Parameters<typeof selectorOf>[0]
  }
  const resource = await discovery.find(type)
  const { items, apiVersion, kind } = await client.get(
    pathWith(pathOf(resource, namespace), {
      labelSelector: selectorText(selectorOf(spec.selector) ?? []),
    }),
  )
  const { uid } = object.metadata as unknown as Metadata
  return (Array.isArray(items) ? items.filter(isJsonObject) : [])
    .filter(({ metadata }) =>
      (metadata as unknown as Metadata).ownerReferences?.some(
        (owner) => owner.controller && owner.uid === uid,
      ),
    )
    .map((item) => ({
      apiVersion: apiVersion ?? '',
      kind: String(kind).replace(/List$/, ''),
      ...item,
    }))
}

function ofReplicaSet(object: JsonObject): Revision {
  const { annotations = {} } = object.metadata as unknown as Metadata
  const { template } = object.spec as { template: JsonObject }
  return {
    number: Number(annotations[REVISION] ?? 0),
    cause: annotations[CAUSE] ?? '',
    template,
    object,
  }
}

/** A ControllerRevision's data is a patch of the template. */
function ofControllerRevision(
  { object }: FoundObject,
  revision: JsonObject,
  type: StructType | undefined,
): Revision {
  const { annotations = {} } = revision.metadata as unknown as Metadata
  const patched =
    type === undefined
      ? object
      : applyStrategicMergePatch(copyOf(object), copyOf((revision.data ?? {}) as JsonObject), type)
  const { template } = patched.spec as { template: JsonObject }
  return {
    number: Number(revision.revision ?? 0),
    cause: annotations[CAUSE] ?? '',
    template,
    object: revision,
  }
}
