/** The host that answers this page's requests. */
import { create } from 'zustand'
import { type Connection, connect } from '../../hosts/page/connect'
import { BASE } from '../base'
import { useCluster } from './cluster'
import { useDiscovery } from './discovery'

interface ConnectionState {
  connection: Connection | undefined
  failure: string | undefined
  start(): Promise<void>
  /** Resolves when the server has said what it serves, or cannot. */
  ready: Promise<void>
}

let settle: () => void = () => undefined

export const useConnection = create<ConnectionState>((set) => ({
  connection: undefined,
  failure: undefined,
  ready: new Promise((resolve) => {
    settle = resolve
  }),
  async start() {
    try {
      set({ connection: await connect(BASE) })
      await useDiscovery.getState().load()
      useCluster.getState().follow()
    } catch (error) {
      set({ failure: error instanceof Error ? error.message : String(error) })
    } finally {
      settle()
    }
  },
}))
