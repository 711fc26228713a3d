/** The engine's settings (`engine-settings.ts`); a change restarts it over the same data. */
import { create } from 'zustand'
import type { EngineSettings } from '../../hosts/shared/engine-settings'
import { useCluster } from './cluster'
import { useConnection } from './connection'
import { useDiscovery } from './discovery'
import * as texts from './texts'
import { notify } from './view'

interface SettingsState {
  /** undefined until the host reports them. */
  settings: EngineSettings | undefined
  load(): Promise<void>
  change(change: Partial<EngineSettings>): Promise<{ done: true } | { done: false; reason: string }>
}

export function useRelease(): string {
  return useSettings((state) => state.settings?.release ?? '…')
}

export const useSettings = create<SettingsState>((set) => ({
  settings: undefined,
  async load() {
    const { connection } = useConnection.getState()
    if (connection) set({ settings: await connection.channel.request('settings', undefined) })
  },
  async change(change) {
    try {
      const { connection } = useConnection.getState()
      if (!connection) throw new Error(texts.noServer)
      set({ settings: await connection.channel.request('configure', change) })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      notify(texts.settingsRejected(reason), 'bad')
      return { done: false, reason }
    }
    await useDiscovery.getState().load()
    useCluster.getState().follow()
    return { done: true }
  },
}))
