/** The cluster before the last change of its release, one per workspace. */
import type { KubeObject } from '../../engine/core/object'
import type { Storage } from '../../engine/storage/storage'
import type { PersistentStore } from '../../persistence/indexeddb'
import type { KeptSnapshot } from './channel'
import type { EngineSettings } from './engine-settings'

export interface StoredRow {
  key: string
  object: KubeObject
}

export interface ClusterSnapshot {
  /** Milliseconds of real time since the epoch. */
  at: number
  settings: EngineSettings
  rows: StoredRow[]
}

interface Source {
  server: { storage: Storage }
  settings: EngineSettings
}

export async function snapshotOf({ server, settings }: Source): Promise<ClusterSnapshot> {
  const { items } = await server.storage.range('/registry/')
  return {
    at: Date.now(),
    settings,
    rows: items.map(({ key, object }) => ({ key, object })),
  }
}

type Store = Pick<PersistentStore, 'snapshot' | 'saveSnapshot'>

export class Snapshots {
  /** @param open returns the running engine's store */
  constructor(private readonly open: () => Promise<Store>) {}

  async keep(snapshot: ClusterSnapshot): Promise<void> {
    await (await this.open()).saveSnapshot(snapshot)
  }

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
