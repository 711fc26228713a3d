import { create } from 'zustand'
import { type Connection, connect } from '../../hosts/page/connect'
import type { CallHandlers } from '../../hosts/shared/handlers'
import { BASE } from './base'
import { useCluster } from './cluster'
import { useDiscovery } from './discovery'
import { EMBEDDED } from './embed-parameters'
import { lossSince, noteHeld } from './last-known'
import * as texts from './texts'
import { notify } from './view'
import { WORKSPACE } from './workspace'

interface ConnectionState {
  connection: Connection | undefined
  failure: string | undefined
  /** Local programs can reach the cluster through the server's bridge. */
  bridged: boolean
  /** @param callHandler runs the page's webhook servers */
  start(callHandler: CallHandlers): Promise<void>
  /** Resolves when discovery has succeeded or failed. */
  ready: Promise<void>
}

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])$/

/** For writes of other tabs or the console. */
const LOOK_MILLISECONDS = 2000

let settle: () => void = () => undefined

export const useConnection = create<ConnectionState>((set) => ({
  connection: undefined,
  failure: undefined,
  bridged: false,
  ready: new Promise((resolve) => {
    settle = resolve
  }),
  async start(callHandler) {
    try {
      const connection = await connect(BASE, WORKSPACE, callHandler, !EMBEDDED)
      set({ connection })
      await useDiscovery.getState().load()
      useCluster.getState().follow()
      look(connection)
      if (!EMBEDDED)
        void import('./version').then(({ followVersions }) => followVersions(connection))
      reportDamage(connection).catch(() => undefined)
      void import('./settings').then(({ useSettings }) => useSettings.getState().load())
      if (!EMBEDDED && LOOPBACK.test(location.hostname))
        void import('../../hosts/bridge/tab').then(({ carryBridge }) =>
          carryBridge(BASE, (bridged) => set({ bridged })),
        )
    } catch (error) {
      set({ failure: error instanceof Error ? error.message : String(error) })
    } finally {
      settle()
    }
  },
}))

const NAMED = 3

async function reportDamage({ channel }: Connection): Promise<void> {
  const status = await channel.request('status', undefined)
  const { damaged } = status
  const lost = lossSince(status)
  if (lost !== undefined) notify(lost, 'bad')
  noteHeld(status, Date.now())
  if (damaged.length === 0) return
  notify(texts.incompleteStorage(damaged.slice(0, NAMED), damaged.length - NAMED), 'bad')
}

function look({ channel }: Connection): void {
  let after = 0
  const once = async () => {
    if (document.hidden) return
    // Without discovery the page would stay empty.
    if (useDiscovery.getState().failure !== undefined) {
      await useDiscovery.getState().load()
      useCluster.getState().followServed()
    }
    const status = await channel.request('status', { after }).catch(() => undefined)
    if (status === undefined) return
    after = status.revision
    noteHeld(status, Date.now())
    useCluster.getState().lookAgain(status.revision, status.written)
  }
  document.addEventListener('visibilitychange', () => void once())
  setInterval(() => void once(), LOOK_MILLISECONDS)
}
