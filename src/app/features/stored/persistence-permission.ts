/** Whether storage is persistent, and its quota. Some browsers report neither. */

export interface StorageEstimate {
  /** Whether the browser will not evict the data; undefined: unknown. */
  persisted: boolean | undefined
  /** Bytes; undefined: unknown. */
  used: number | undefined
  quota: number | undefined
}

/** Absent where there is no secure context, and in old browsers. */
const manager = (): Partial<StorageManager> | undefined =>
  (navigator as { storage?: Partial<StorageManager> }).storage

export async function storageEstimate(): Promise<StorageEstimate> {
  const storage = manager()
  const unknown = () => undefined
  const [persisted, estimate] = await Promise.all([
    storage?.persisted?.().catch(unknown),
    storage?.estimate?.().catch(unknown),
  ])
  return { persisted, used: estimate?.usage, quota: estimate?.quota }
}

export const canRequestPersistence = (): boolean => typeof manager()?.persist === 'function'

/** Requests persistent storage; some browsers prompt the user. @returns whether it was granted */
export async function requestPersistence(): Promise<boolean> {
  return (await manager()?.persist?.()) ?? false
}
