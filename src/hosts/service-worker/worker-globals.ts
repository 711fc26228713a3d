/** MSW's cookie store requests localStorage when it is loaded, and a worker has none. Nothing is kept here. */
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
