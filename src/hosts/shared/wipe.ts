/** The message by which one tab, after the user has confirmed, makes other tabs and the worker drop all data. */
const CHANNEL = 'kubetab-wipe'

export function broadcastWipe(): void {
  const call = new BroadcastChannel(CHANNEL)
  call.postMessage('wipe')
  call.close()
}

/** @param leave is not called for messages of this context */
export function onWipe(leave: () => void): void {
  new BroadcastChannel(CHANNEL).onmessage = leave
}
