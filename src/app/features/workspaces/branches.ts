/** A branch is a workspace that began as a copy of another one, and can be merged into it. */
import type { KubeObject } from '../../../engine/core/object'
import { sendRequest } from '../../state/client'
import { useConnection } from '../../state/connection'
import { pathOf } from '../../state/discovery'
import { findKind } from '../../state/served'
import { load, store } from '../../state/stored'
import { ownKey, WORKSPACE } from '../../state/workspace'
import { exportRows, settingsOf } from '../share/cluster'
import {
  type BranchChange,
  branchChanges,
  contentOf,
  type Digests,
  digestsOf,
} from './branch-content'
import { BRANCH } from './texts'
import { freeName, useWorkspaces } from './workspaces'

interface BranchRecord {
  parent: string
  base: Digests
}

const RECORD = 'branch'

/** undefined: the shown workspace is not a branch. */
export const branchRecord = (): BranchRecord | undefined =>
  load<BranchRecord | undefined>(ownKey(RECORD), undefined)

/** Copies the cluster with its time, its settings and the open files, and opens the copy. */
export async function branchOff(): Promise<void> {
  const { connection } = useConnection.getState()
  if (connection === undefined) throw new Error(BRANCH.notStarted)
  const name = freeName('branch')
  const [rows, clock, settings] = await Promise.all([
    exportRows(),
    connection.channel.request('clock', undefined),
    settingsOf(),
  ])
  const { time, rate } = clock
  await connection.channelTo(name).request('import', {
    objects: rows.map(({ object }) => object),
    clock: { time, rate },
    settings,
  })
  const record: BranchRecord = { parent: WORKSPACE, base: digestsOf(rows) }
  if (!store(`~${name}.${RECORD}`, record)) throw new Error(BRANCH.storageFull)
  store(`~${name}.editors`, load(ownKey('editors'), undefined))
  useWorkspaces.getState().open(name)
}

export async function changesIn({ parent, base }: BranchRecord): Promise<BranchChange[]> {
  const [ours, theirs] = await Promise.all([exportRows(), exportRows(parent)])
  return branchChanges(base, ours, theirs)
}

const MANAGER = 'kubetab-merge'
/** Custom resources wait for their definition. */
const TRIES = 12
const PAUSE_MILLISECONDS = 300

/** @returns the server's message, if it rejects the change */
export async function mergeChange(
  change: BranchChange,
  parent: string,
): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    const response = await sendRequest({ ...(await requestOf(change)), workspace: parent })
    if (response.ok) return undefined
    if (response.status !== 404 || attempt === TRIES || change.type === 'deleted')
      return (response.json as { message?: string } | undefined)?.message ?? response.text
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS))
  }
}

/** Changes are rejected if the parent has changed since they were shown. */
async function requestOf({ type, object, parent }: BranchChange) {
  const { name = '', namespace, uid } = object.metadata
  const state = await findKind(object.apiVersion, object.kind)
  if (!('resource' in state)) throw new Error(BRANCH.notServed(object.kind, object.apiVersion))
  const path = pathOf(state.resource, namespace, type === 'created' ? undefined : name)
  const resourceVersion = parent?.metadata.resourceVersion
  if (type === 'deleted')
    return {
      method: 'DELETE',
      path,
      body: JSON.stringify({ preconditions: { uid, resourceVersion } }),
    }
  const content = contentOf(object) as unknown as KubeObject
  const metadata = { ...content.metadata, ...(resourceVersion && { resourceVersion }) }
  return {
    method: type === 'created' ? 'POST' : 'PUT',
    path: `${path}?fieldManager=${MANAGER}`,
    body: JSON.stringify({ ...content, metadata }),
  }
}

/** Merged objects are the new base. */
export function noteMerged(record: BranchRecord, merged: readonly BranchChange[]): BranchRecord {
  const base = { ...record.base }
  for (const { key, type, object } of merged) {
    if (type === 'deleted') delete base[key]
    else Object.assign(base, digestsOf([{ key, object }]))
  }
  const next = { ...record, base }
  store(ownKey(RECORD), next)
  return next
}
