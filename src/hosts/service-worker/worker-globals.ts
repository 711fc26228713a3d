/** A stub of localStorage, which a worker lacks and MSW reads when it loads. It stores nothing. */
const empty: Storage = {
  length: 0,
  clear: () => undefined,
  getItem: () => null,
  key: () => null,
  removeItem: () => undefined,
  setItem: () => undefined,
}
if (!('localStorage' in globalThis))
  Object.defineProperty(globalThis, 'localStorage', { value: empty })
