/** Creates the objects with which a lesson or an incident begins. */
import type { JsonObject, KubeObject } from '../../../engine/core/object'
import { parseRelease } from '../../../engine/releases/release'
import { type Held, releaseFor } from '../../../lessons/releases'
import { startObjects } from '../../../lessons/start'
import { PAGE_ACTOR } from '../../state/actors'
import { sendRequest } from '../../state/client'
import { useConnection } from '../../state/connection'
import { pathOf } from '../../state/discovery'
import { findKind } from '../../state/served'
import { useSettings } from '../../state/settings'
import { objectAt, settled } from './play'
import { PLAY } from './texts'

/** Retries, because a namespace gets the service account that pods need later. */
const ATTEMPTS = 30
const PAUSE_MILLISECONDS = 150

/** By POST, or as a team does with kubectl, so that its manifests apply without a conflict. */
type Way = 'create' | 'apply'

const APPLY = 'application/apply-patch+yaml'
const MANAGER = 'kubectl'

/** @param text objects as YAML @param held selects the release */
export async function createStart(text: string, held: Held, way: Way = 'create'): Promise<void> {
  await useConnection.getState().ready
  await startRelease(held)
  const objects = startObjects(text)
  for (const [index, object] of objects.entries()) {
    await createObject(object, way)
    // The next object can depend on controllers, such as a quota; objects of the same kind do not
    // depend on each other.
    if (objects[index + 1]?.kind !== object.kind) await settled()
  }
}

async function startRelease(held: Held): Promise<void> {
  const settings = useSettings.getState()
  await settings.load()
  const now = useSettings.getState().settings?.release
  const release = now && parseRelease(releaseFor(held, now))
  if (release !== undefined && release !== now) await settings.change({ release })
}

async function createObject(object: KubeObject, way: Way): Promise<void> {
  // A lesson may start with a definition and objects of its kind.
  const state = await findKind(object.apiVersion, object.kind)
  if (!('resource' in state)) throw new Error(PLAY.notServed(object.kind, object.apiVersion))
  const { resource } = state
  const path = pathOf(resource, resource.namespaced ? (object.metadata.namespace ?? 'default') : '')
  for (let attempt = 1; ; attempt++) {
    const response = await sendRequest({
      ...(way === 'create'
        ? { method: 'POST', path }
        : {
            method: 'PATCH',
            path: `${path}/${object.metadata.name}?fieldManager=${MANAGER}`,
            contentType: APPLY,
          }),
      body: JSON.stringify(object),
      origin: 'page',
      actor: PAGE_ACTOR,
    })
    if (response.ok || response.status === 409)
      return object.apiVersion.startsWith('apps/')
        ? heard(`${path}/${object.metadata.name}`)
        : undefined
    if (attempt === ATTEMPTS)
      throw new Error(
        (response.json as { message?: string } | undefined)?.message ??
          PLAY.status(response.status),
      )
    await pause()
  }
}

/** Waits until controllers have observed the generation of the start state. */
async function heard(path: string): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { metadata, status } = ((await objectAt(path)) ?? {}) as {
      metadata?: JsonObject
      status?: JsonObject
    }
    if (metadata?.generation === status?.observedGeneration) return
    await pause()
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS))
