/** Small things that outlive a reload: kept in localStorage, which may be missing or full. */

const PREFIX = 'kubetab.'

export function recall<Value>(name: string, fallback: Value): Value {
  try {
    const text = localStorage.getItem(PREFIX + name)
    return text === null ? fallback : (JSON.parse(text) as Value)
  } catch {
    return fallback
  }
}

/** @returns false if the browser keeps nothing (no room, or storage is blocked) */
export function remember(name: string, value: unknown): boolean {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

/** Forgets everything whose name begins so. */
export function forget(beginning: string): void {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(PREFIX + beginning)) localStorage.removeItem(name)
  } catch {
    // Where nothing is kept there is nothing to forget.
  }
}

/** Calls back when another tab of the browser remembers something under this name. */
export function onRemembered(name: string, changed: () => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === PREFIX + name) changed()
  })
}

/** The same for libraries that want a storage of texts. */
export const textStorage = {
  getItem: (name: string): string | null => {
    try {
      return localStorage.getItem(name)
    } catch {
      return null
    }
  },
  setItem: (name: string, text: string): void => {
    try {
      localStorage.setItem(name, text)
    } catch {
      // Sizes are then as they are at first.
    }
  },
}
