/** The call with which one tab, where a person has agreed that everything goes, tells the other tabs and the worker. */
const CHANNEL = 'kubetab-wipe'

export function broadcastWipe(): void {
  const call = new BroadcastChannel(CHANNEL)
  call.postMessage('wipe')
  call.close()
}

/** @param leave is not told of this context's own call */
export function onWipe(leave: () => void): void {
  new BroadcastChannel(CHANNEL).onmessage = leave
}
