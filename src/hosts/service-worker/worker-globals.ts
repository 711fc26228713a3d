/** MSW reads localStorage, which a worker lacks. */
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
