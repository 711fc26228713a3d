/** Whether the browser keeps what this page stores, and how much room there is. Some browsers tell nothing of it. */

export interface StorageEstimate {
  /** The browser has promised not to remove anything by itself; undefined: it does not say. */
  persisted: boolean | undefined
  /** Bytes; undefined: it does not say. */
  used: number | undefined
  quota: number | undefined
}

/** Absent where there is no secure context, and in old browsers. */
const manager = (): Partial<StorageManager> | undefined =>
  (navigator as { storage?: Partial<StorageManager> }).storage

export async function storageEstimate(): Promise<StorageEstimate> {
  const storage = manager()
  const unknown = () => undefined
  const [promised, estimate] = await Promise.all([
    storage?.persisted?.().catch(unknown),
    storage?.estimate?.().catch(unknown),
  ])
  return { persisted, used: estimate?.usage, quota: estimate?.quota }
}

export const canRequestPersistence = (): boolean => typeof manager()?.persist === 'function'

/** Asks the browser not to remove anything by itself; some browsers ask the person. @returns whether it agreed */
export async function requestPersistence(): Promise<boolean> {
  return (await manager()?.persist?.()) ?? false
}
