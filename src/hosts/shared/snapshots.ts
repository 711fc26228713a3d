/**
 * The state of a cluster before its release changed, kept next to it to go back. One is kept per
 * workspace: the state before the last change.
 */
import type { KubeObject } from '../../engine/core/object'
import type { Storage } from '../../engine/storage/storage'
import type { PersistentStore } from '../../persistence/indexeddb'
import type { KeptSnapshot } from './channel'
import type { EngineSettings } from './engine-settings'

/** An object under its storage key. */
export interface StoredRow {
  key: string
  object: KubeObject
}

export interface ClusterSnapshot {
  /** Real time, milliseconds since the epoch. */
  at: number
  settings: EngineSettings
  rows: StoredRow[]
}

interface Source {
  server: { storage: Storage }
  settings: EngineSettings
}

/** The state of a running engine now. */
export async function snapshotOf({ server, settings }: Source): Promise<ClusterSnapshot> {
  const { items } = await server.storage.range('/registry/')
  return {
    at: Date.now(),
    settings,
    rows: items.map(({ key, object }) => ({ key, object })),
  }
}

type Store = Pick<PersistentStore, 'snapshot' | 'saveSnapshot'>

/** The snapshot in a store. */
export class Snapshots {
  /** @param open returns the store of the running engine */
  constructor(private readonly open: () => Promise<Store>) {}

  async keep(snapshot: ClusterSnapshot): Promise<void> {
    await (await this.open()).saveSnapshot(snapshot)
  }

  /** What is kept; undefined if there is none. */
  async kept(): Promise<KeptSnapshot | undefined> {
    const snapshot = (await (await this.open()).snapshot()) as ClusterSnapshot | undefined
    if (snapshot === undefined) return undefined
    const { at, settings, rows } = snapshot
    return { release: settings.release, at, objects: rows.length }
  }

  /** @throws Error if there is none */
  async read(): Promise<ClusterSnapshot> {
    const snapshot = (await (await this.open()).snapshot()) as ClusterSnapshot | undefined
    if (snapshot === undefined) throw new Error('no state from before a change is kept')
    return snapshot
  }
}
