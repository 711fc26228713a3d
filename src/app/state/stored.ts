/** localStorage can be unavailable or full. An embedded page stores nothing. */
import { EMBEDDED } from './embed-parameters'

const PREFIX = 'kubetab.'

/** Storage of an embedded frame, in memory only. */
const passing = new Map<string, string>()

const kept: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & { names(): string[] } = EMBEDDED
  ? {
      getItem: (name) => passing.get(name) ?? null,
      setItem: (name, text) => void passing.set(name, text),
      removeItem: (name) => void passing.delete(name),
      names: () => [...passing.keys()],
    }
  : {
      getItem: (name) => localStorage.getItem(name),
      setItem: (name, text) => localStorage.setItem(name, text),
      removeItem: (name) => localStorage.removeItem(name),
      names: () => Object.keys(localStorage),
    }

export function load<Value>(name: string, fallback: Value): Value {
  try {
    const text = kept.getItem(PREFIX + name)
    return text === null ? fallback : (JSON.parse(text) as Value)
  } catch {
    return fallback
  }
}

/** @returns false if the browser cannot store the value */
export function store(name: string, value: unknown): boolean {
  try {
    kept.setItem(PREFIX + name, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

export function removeByPrefix(beginning: string): void {
  try {
    for (const name of kept.names()) if (name.startsWith(PREFIX + beginning)) kept.removeItem(name)
  } catch {}
}

/** Calls back when another tab changes this item. */
export function onStored(name: string, changed: () => void): void {
  if (EMBEDDED) return
  addEventListener('storage', ({ key }) => {
    if (key === PREFIX + name) changed()
  })
}

/** A Storage interface for libraries. */
export const textStorage = {
  getItem: (name: string): string | null => {
    try {
      return kept.getItem(name)
    } catch {
      return null
    }
  },
  setItem: (name: string, text: string): void => {
    try {
      kept.setItem(name, text)
    } catch {}
  },
}

/** react-resizable-panels stores sizes under its own keys. */
const SIZES = `react-resizable-panels:${PREFIX}`

export const PANEL_SIZES = 'panel-sizes'

export interface StoredItem {
  name: string
  /** The key in localStorage. */
  key: string
  text: string
}

export function storedItems(): StoredItem[] {
  try {
    return kept
      .names()
      .flatMap((key) => {
        const name = key.startsWith(SIZES)
          ? PANEL_SIZES
          : key.startsWith(PREFIX)
            ? key.slice(PREFIX.length)
            : undefined
        return name === undefined ? [] : [{ name, key, text: kept.getItem(key) ?? '' }]
      })
      .sort((a, b) => (a.key < b.key ? -1 : 1))
  } catch {
    return []
  }
}

export function removeItems(things: readonly Pick<StoredItem, 'key'>[]): void {
  for (const { key } of things) kept.removeItem(key)
}

export function clearPanelSizes(): void {
  removeItems(storedItems().filter(({ name }) => name === PANEL_SIZES))
}
