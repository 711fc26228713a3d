/** After confirmation in one tab, makes other tabs and the worker delete all data. */
const CHANNEL = 'kubetab-wipe'

export function broadcastWipe(): void {
  const call = new BroadcastChannel(CHANNEL)
  call.postMessage('wipe')
  call.close()
}

/** @param leave not called for this context's own messages */
export function onWipe(leave: () => void): void {
  new BroadcastChannel(CHANNEL).onmessage = leave
}
