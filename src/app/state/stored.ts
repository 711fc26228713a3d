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
